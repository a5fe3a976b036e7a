// Package api holds the Widget that every contender reconciles.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is where Widgets are served.
var GroupVersion = schema.GroupVersion{Group: "bench.windlass.dev", Version: "v1"}

// AddToScheme registers the types of this package.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

// Variable is one entry of a Widget's environment.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// WidgetSpec is about one kilobyte of fields.
type WidgetSpec struct {
	Revision    int64             `json:"revision"`
	Image       string            `json:"image"`
	Replicas    int32             `json:"replicas"`
	Command     []string          `json:"command,omitempty"`
	Environment []Variable        `json:"environment,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Description string            `json:"description,omitempty"`
}

// WidgetStatus says which spec was seen, and its digest.
type WidgetStatus struct {
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	Digest             string `json:"digest,omitempty"`
	Ready              bool   `json:"ready,omitempty"`
}

// Widget is the custom resource.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetList is a list of Widgets.
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Widget `json:"items"`
}
