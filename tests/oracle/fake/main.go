// Asks the fake client of controller-runtime what tests/lib/probes.py asks servers, under the same names.
package main

import (
	"context"
	"encoding/json"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

const namespace = "probes"

var probeKind = schema.GroupVersionKind{Group: "compare.example.com", Version: "v1", Kind: "Probe"}

// target is the fake client as its users build it: with the scheme, and with the kind's status subresource.
type target struct {
	client.Client
	ctx context.Context
}

func newTarget() target {
	scheme := runtime.NewScheme()
	must(clientgoscheme.AddToScheme(scheme))
	scheme.AddKnownTypeWithName(probeKind, &unstructured.Unstructured{})
	list := probeKind
	list.Kind += "List"
	scheme.AddKnownTypeWithName(list, &unstructured.UnstructuredList{})
	built := fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(probe("", nil)).Build()
	return target{built, context.Background()}
}

func probe(name string, spec map[string]any) *unstructured.Unstructured {
	found := &unstructured.Unstructured{Object: map[string]any{}}
	found.SetGroupVersionKind(probeKind)
	found.SetName(name)
	found.SetNamespace(namespace)
	if spec != nil {
		found.Object["spec"] = spec
	}
	return found
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}, Data: data}
}

func deployment(name string, selected map[string]string) *appsv1.Deployment {
	pod := corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "a"}}}
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: selected},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: pod},
		},
	}
}

func (t target) refuses(object client.Object) bool {
	return apierrors.IsInvalid(t.Create(t.ctx, object))
}

func (t target) merge(object client.Object, patch string) error {
	return t.Patch(t.ctx, object, client.RawPatch("application/merge-patch+json", []byte(patch)))
}

func (t target) again(object client.Object) client.Object {
	must(t.Get(t.ctx, client.ObjectKeyFromObject(object), object))
	return object
}

var probes = map[string]func(target) bool{
	"schema": func(t target) bool { return t.refuses(probe("schema", map[string]any{"size": int64(0)})) },
	"rule": func(t target) bool {
		return t.refuses(probe("rule", map[string]any{"size": int64(5), "most": int64(4)}))
	},
	"builtin": func(t target) bool { return t.refuses(deployment("builtin", map[string]string{"app": "another"})) },
	"name":    func(t target) bool { return t.refuses(configMap("Not_A_Name", nil)) },
	"defaults": func(t target) bool {
		made := deployment("defaults", map[string]string{"app": "defaults"})
		must(t.Create(t.ctx, made))
		own := probe("defaults", map[string]any{})
		must(t.Create(t.ctx, own))
		_, defaulted, _ := unstructured.NestedFieldNoCopy(own.Object, "spec", "size")
		return made.Spec.Replicas != nil && *made.Spec.Replicas == 1 && defaulted
	},
	"pruning": func(t target) bool {
		made := probe("pruning", map[string]any{"size": int64(1), "colour": "red"})
		must(t.Create(t.ctx, made))
		_, kept, _ := unstructured.NestedFieldNoCopy(t.again(made).(*unstructured.Unstructured).Object, "spec", "colour")
		return !kept
	},
	"immutable": func(t target) bool {
		made := deployment("immutable", map[string]string{"app": "immutable"})
		must(t.Create(t.ctx, made))
		labels := `{"app": "immutable", "more": "x"}`
		return apierrors.IsInvalid(t.merge(made, `{"spec": {"selector": {"matchLabels": `+labels+`},
			"template": {"metadata": {"labels": `+labels+`}}}}`))
	},
	"namespace": func(t target) bool {
		lost := configMap("lost", nil)
		lost.Namespace = "nowhere"
		return apierrors.IsNotFound(t.Create(t.ctx, lost))
	},
	"generate_name": func(t target) bool {
		made := configMap("", nil)
		made.GenerateName = "made-"
		return t.Create(t.ctx, made) == nil && len(made.Name) > len("made-")
	},
	"generation": func(t target) bool {
		made := probe("generation", map[string]any{"size": int64(1)})
		must(t.Create(t.ctx, made))
		first := made.GetGeneration()
		must(t.merge(made, `{"spec": {"size": 2}}`))
		second := made.GetGeneration()
		patch := client.RawPatch("application/merge-patch+json", []byte(`{"status": {"size": 2}}`))
		must(t.Status().Patch(t.ctx, made, patch))
		return first == 1 && second == 2 && made.GetGeneration() == 2
	},
	"no_op": func(t target) bool {
		made := configMap("no-op", map[string]string{"a": "1"})
		must(t.Create(t.ctx, made))
		before := made.ResourceVersion
		must(t.merge(made, `{"data": {"a": "1"}}`))
		return before != "" && made.ResourceVersion == before
	},
	"stale": func(t target) bool {
		made := configMap("stale", map[string]string{"a": "1"})
		must(t.Create(t.ctx, made))
		old := made.DeepCopy()
		must(t.merge(made, `{"data": {"a": "2"}}`))
		old.Data["a"] = "3"
		return apierrors.IsConflict(t.Update(t.ctx, old))
	},
	"status": func(t target) bool {
		made := probe("status", map[string]any{"size": int64(1)})
		must(t.Create(t.ctx, made))
		must(t.merge(made, `{"status": {"size": 9}}`))
		wrong := t.again(made).(*unstructured.Unstructured).Object["status"] != nil
		patch := client.RawPatch("application/merge-patch+json", []byte(`{"status": {"size": 1}, "spec": {"size": 7}}`))
		must(t.Status().Patch(t.ctx, made, patch))
		object := t.again(made).(*unstructured.Unstructured).Object
		size, _, _ := unstructured.NestedFieldNoCopy(object, "status", "size")
		spec, _, _ := unstructured.NestedFieldNoCopy(object, "spec", "size")
		return !wrong && number(size) == 1 && number(spec) == 1
	},
	"apply": func(t target) bool {
		applied := func(data map[string]any, owner string) error {
			object := &unstructured.Unstructured{Object: map[string]any{"data": data}}
			object.SetAPIVersion("v1")
			object.SetKind("ConfigMap")
			object.SetName("applied")
			object.SetNamespace(namespace)
			return t.Apply(t.ctx, client.ApplyConfigurationFromUnstructured(object), client.FieldOwner(owner))
		}
		if applied(map[string]any{"a": "1", "b": "1"}, "one") != nil || applied(map[string]any{"a": "1"}, "one") != nil {
			return false
		}
		found := t.again(configMap("applied", nil)).(*corev1.ConfigMap)
		return len(found.Data) == 1 && apierrors.IsConflict(applied(map[string]any{"a": "2"}, "two"))
	},
	"finalizer": func(t target) bool {
		held := configMap("held", nil)
		held.Finalizers = []string{"compare.example.com/hold"}
		must(t.Create(t.ctx, held))
		must(t.Delete(t.ctx, held))
		marked := t.again(held).GetDeletionTimestamp() != nil
		must(t.merge(held, `{"metadata": {"finalizers": null}}`))
		return marked && apierrors.IsNotFound(t.Get(t.ctx, client.ObjectKeyFromObject(held), held))
	},
	"pages": func(t target) bool {
		for _, each := range []string{"page-a", "page-b", "page-c"} {
			made := configMap(each, nil)
			made.Labels = map[string]string{"page": "yes"}
			must(t.Create(t.ctx, made))
		}
		var found corev1.ConfigMapList
		must(t.List(t.ctx, &found, client.MatchingLabels{"page": "yes"}, client.Limit(2)))
		return len(found.Items) == 2 && found.Continue != ""
	},
	"fields": func(t target) bool {
		for name, kind := range map[string]string{"field-a": "example.com/x", "field-b": "example.com/y"} {
			secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
			secret.Type = corev1.SecretType(kind)
			must(t.Create(t.ctx, secret))
		}
		var found corev1.SecretList
		err := t.List(t.ctx, &found, client.MatchingFields{"type": "example.com/x"})
		return err == nil && len(found.Items) == 1 && found.Items[0].Name == "field-a"
	},
	"access": func(t target) bool {
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User:               "nobody",
			ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "delete", Resource: "nodes"},
		}}
		review.Name = "access"
		// A cluster decides; what comes back undecided is a stored object, and allows and denies nothing.
		return t.Create(t.ctx, review) == nil && review.Status.Reason != ""
	},
}

func number(value any) int64 {
	switch found := value.(type) {
	case int64:
		return found
	case float64:
		return int64(found)
	}
	return -1
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	seen := map[string]bool{}
	for name, ask := range probes {
		seen[name] = ask(newTarget())
	}
	must(json.NewEncoder(os.Stdout).Encode(seen))
}
