package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	_ runtime.ObjectConvertor = &kind{}
	_ runtime.ObjectCreater   = &kind{}
	_ runtime.ObjectDefaulter = &kind{}
)

// New makes the empty object that a server starts from.
func (k *kind) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	out := &unstructured.Unstructured{Object: map[string]any{}}
	out.SetGroupVersionKind(gvk)
	return out, nil
}

// Default does nothing: defaults are no concern of ownership.
func (k *kind) Default(runtime.Object) {}

// Convert is not needed by field managers.
func (k *kind) Convert(_, _, _ any) error {
	return fmt.Errorf("not supported")
}

// ConvertFieldLabel is not needed by field managers.
func (k *kind) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	return "", "", fmt.Errorf("not supported")
}

// ConvertToVersion converts between versions of the kind, by way of the hub. A version that there is not is an
// error of its own for built-in kinds, but any error for custom resources.
func (k *kind) ConvertToVersion(in runtime.Object, to runtime.GroupVersioner) (runtime.Object, error) {
	object, ok := in.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("%T is no custom resource", in)
	}
	from := object.GroupVersionKind()
	target, ok := to.KindForGroupVersionKinds([]schema.GroupVersionKind{from})
	if !ok && k.Custom {
		return nil, fmt.Errorf("%v is unstructured and is not suitable for converting to %q", from, to)
	}
	if from.Version == "" {
		return nil, runtime.NewMissingVersionErr("unstructured object has no version")
	}
	if !ok {
		return nil, runtime.NewNotRegisteredGVKErrForTarget("oracle", from, to)
	}
	if from == target {
		return object, nil
	}
	names, known := k.Renamed[target.Version]
	if !known && k.Custom {
		return nil, fmt.Errorf("request to convert CR to an invalid group/version: %s", target.GroupVersion())
	}
	if !known {
		return nil, runtime.NewNotRegisteredErrForKind("oracle", target)
	}
	out := object.DeepCopy()
	out.SetGroupVersionKind(target)
	if content, ok := out.Object["spec"].(map[string]any); ok {
		content = renamed(content, inverse(k.Renamed[from.Version]))
		out.Object["spec"] = renamed(content, names)
	}
	return out, nil
}

func renamed(content map[string]any, names map[string]string) map[string]any {
	out := make(map[string]any, len(content))
	for name, value := range content {
		if other, ok := names[name]; ok {
			name = other
		}
		out[name] = value
	}
	return out
}

func inverse(names map[string]string) map[string]string {
	out := make(map[string]string, len(names))
	for name, other := range names {
		out[other] = name
	}
	return out
}
