// Package api holds the kind that the operator keeps: a Site, which is a Deployment and a ConfigMap.
package api

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is where Sites are served.
var GroupVersion = schema.GroupVersion{Group: "operator.example.com", Version: "v1"}

// AddToScheme registers the types of this package.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Site{}, &SiteList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}

// SiteSpec is what a Site is to be.
type SiteSpec struct {
	Image      string `json:"image"`
	Replicas   int32  `json:"replicas"`
	SecretName string `json:"secretName,omitempty"`
}

// SiteStatus is what a Site is.
type SiteStatus struct {
	ReadyReplicas int32              `json:"readyReplicas"`
	Colour        string             `json:"colour,omitempty"`
	Conditions    []metav1.Condition `json:"conditions,omitempty"`
}

// Site is the kind.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   SiteSpec   `json:"spec"`
	Status SiteStatus `json:"status,omitempty"`
}

// SiteList is a list of them.
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Site `json:"items"`
}

// DeepCopy returns a copy that shares nothing.
func (in *Site) DeepCopy() *Site {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	return &out
}

// DeepCopyObject implements runtime.Object.
func (in *Site) DeepCopyObject() runtime.Object {
	return in.DeepCopy()
}

// DeepCopyObject implements runtime.Object.
func (in *SiteList) DeepCopyObject() runtime.Object {
	out := &SiteList{TypeMeta: in.TypeMeta}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range in.Items {
		out.Items = append(out.Items, *in.Items[i].DeepCopy())
	}
	return out
}
