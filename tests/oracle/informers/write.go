package main

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applyapps "k8s.io/client-go/applyconfigurations/apps/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applymeta "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/util/retry"
)

// metav1Resource is an entry of a discovery document.
type metav1Resource = metav1.APIResource

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data}
}

func deployment(name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	container := corev1.Container{Name: "web", Image: "nginx", Ports: []corev1.ContainerPort{{ContainerPort: 80}}}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{container}},
			},
		},
	}
}

// refused collects the errors that programs tell apart.
func refused(ctx context.Context, w *world) {
	maps := w.client.CoreV1().ConfigMaps(w.namespace)
	made, err := maps.Create(ctx, configMap("one", map[string]string{"a": "1"}), metav1.CreateOptions{})
	must(err)
	_, err = maps.Get(ctx, "none", metav1.GetOptions{})
	tell("get of nothing", status(err))
	_, err = maps.Create(ctx, configMap("one", nil), metav1.CreateOptions{})
	tell("create of what exists", status(err))
	_, err = maps.Create(ctx, configMap("Not A Name", nil), metav1.CreateOptions{})
	tell("create of a bad name", status(err))
	stale := made.DeepCopy()
	made.Data["a"] = "2"
	_, err = maps.Update(ctx, made, metav1.UpdateOptions{})
	must(err)
	_, err = maps.Update(ctx, stale, metav1.UpdateOptions{})
	tell("update of an old version", status(err))
	other := types.UID("other")
	preconditions := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &other}}
	tell("delete of another", apierrors.ReasonForError(maps.Delete(ctx, "one", preconditions)))
	broken := deployment("broken")
	broken.Spec.Selector.MatchLabels = map[string]string{"app": "else"}
	broken.Spec.Template.Spec.Containers[0].Name = ""
	_, err = w.client.AppsV1().Deployments(w.namespace).Create(ctx, broken, metav1.CreateOptions{})
	tell("create of what is invalid", status(err))
	tell("update with retries", retry.RetryOnConflict(retry.DefaultRetry, func() error {
		found, err := maps.Get(ctx, "one", metav1.GetOptions{})
		if err != nil {
			return err
		}
		found.Data["b"] = "3"
		_, err = maps.Update(ctx, found, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
		return err
	}))
}

// status is what the server said with an error.
func status(err error) any {
	var refusal apierrors.APIStatus
	if errors.As(err, &refusal) {
		return refusal.Status()
	}
	return fmt.Sprint(err)
}

// patched changes one Deployment by a patch of each type.
func patched(ctx context.Context, w *world) {
	deployments := w.client.AppsV1().Deployments(w.namespace)
	_, err := deployments.Create(ctx, deployment("patched"), metav1.CreateOptions{FieldManager: "creator"})
	must(err)
	for kind, body := range map[types.PatchType]string{
		types.StrategicMergePatchType: `{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"busybox"}]}}}}`,
		types.MergePatchType:          `{"spec":{"replicas":3},"metadata":{"labels":{"merged":"yes"}}}`,
		types.JSONPatchType:           `[{"op":"add","path":"/metadata/annotations","value":{"json":"yes"}}]`,
	} {
		_, err := deployments.Patch(ctx, "patched", kind, []byte(body), metav1.PatchOptions{FieldManager: string(kind)})
		must(err)
	}
	found, err := deployments.Get(ctx, "patched", metav1.GetOptions{})
	must(err)
	found.ManagedFields = nil // their order is that of the patches, which is that of a map
	tell("patched", found)
	_, err = deployments.Patch(ctx, "patched", types.JSONPatchType, []byte(`[{"op":"test","path":"/kind","value":"x"}]`), metav1.PatchOptions{})
	tell("a patch that does not apply", apierrors.ReasonForError(err))
	body := []byte(`{"status":{"replicas":3,"readyReplicas":2}}`)
	found, err = deployments.Patch(ctx, "patched", types.MergePatchType, body, metav1.PatchOptions{}, "status")
	must(err)
	tell("patched status", found.Status)
}

// applied applies with configurations, twice, and against somebody else.
func applied(ctx context.Context, w *world) {
	deployments := w.client.AppsV1().Deployments(w.namespace)
	want := applyapps.Deployment("applied", w.namespace).WithSpec(applyapps.DeploymentSpec().
		WithReplicas(2).
		WithSelector(applymeta.LabelSelector().WithMatchLabels(map[string]string{"app": "applied"})).
		WithTemplate(applycore.PodTemplateSpec().
			WithLabels(map[string]string{"app": "applied"}).
			WithSpec(applycore.PodSpec().WithContainers(applycore.Container().WithName("web").WithImage("nginx")))))
	made, err := deployments.Apply(ctx, want, metav1.ApplyOptions{FieldManager: "first"})
	must(err)
	tell("applied", made)
	again, err := deployments.Apply(ctx, want, metav1.ApplyOptions{FieldManager: "first"})
	must(err)
	tell("applied again, unchanged", made.ResourceVersion == again.ResourceVersion)
	extracted, err := applyapps.ExtractDeployment(again, "first")
	must(err)
	tell("extracted", extracted)
	rival := applyapps.Deployment("applied", w.namespace).WithSpec(applyapps.DeploymentSpec().WithReplicas(5))
	_, err = deployments.Apply(ctx, rival, metav1.ApplyOptions{FieldManager: "second"})
	tell("a conflict", status(err))
	forced, err := deployments.Apply(ctx, rival, metav1.ApplyOptions{FieldManager: "second", Force: true})
	must(err)
	tell("forced", forced.Spec.Replicas)
	reported := applyapps.Deployment("applied", w.namespace).WithStatus(applyapps.DeploymentStatus().WithReadyReplicas(1).WithReplicas(1))
	status, err := deployments.ApplyStatus(ctx, reported, metav1.ApplyOptions{FieldManager: "reporter"})
	must(err)
	tell("applied status", status)
}
