package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applymeta "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/recorder"

	"windlass.dev/operator/api"
)

const (
	finalizer   = "operator.example.com/site"
	secretIndex = "spec.secretName"
	colour      = "operator.example.com/colour"
)

// sites reconciles Sites. Events go by the API of today and by the one of old, as operators use either.
type sites struct {
	client.Client
	events    recorder.EventRecorder
	oldEvents record.EventRecorder
}

func addSites(ctx context.Context, manager ctrl.Manager) error {
	index := func(obj client.Object) []string { return []string{obj.(*api.Site).Spec.SecretName} }
	if err := manager.GetFieldIndexer().IndexField(ctx, &api.Site{}, secretIndex, index); err != nil {
		return err
	}
	r := &sites{
		Client:    manager.GetClient(),
		events:    manager.GetEventRecorder("site"),
		oldEvents: manager.GetEventRecorderFor("site"), //nolint:staticcheck // it is what most operators use
	}
	return ctrl.NewControllerManagedBy(manager).
		For(&api.Site{}).
		Owns(&appsv1.Deployment{}).
		WatchesMetadata(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.usersOf)).
		Complete(r)
}

// usersOf finds the Sites that use a Secret, by the index.
func (r *sites) usersOf(ctx context.Context, secret client.Object) []reconcile.Request {
	var users api.SiteList
	selected := client.MatchingFields{secretIndex: secret.GetName()}
	if err := r.List(ctx, &users, client.InNamespace(secret.GetNamespace()), selected); err != nil {
		return nil
	}
	requests := make([]reconcile.Request, 0, len(users.Items))
	for i := range users.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&users.Items[i])})
	}
	return requests
}

func (r *sites) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var site api.Site
	if err := r.Get(ctx, req.NamespacedName, &site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !site.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.clean(ctx, &site)
	}
	if controllerutil.AddFinalizer(&site, finalizer) {
		return ctrl.Result{}, r.Update(ctx, &site)
	}
	deployment, err := r.keepDeployment(ctx, &site)
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.keepConfigMap(ctx, &site); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.report(ctx, &site, deployment)
}

// keepDeployment makes the Deployment of a Site what it should be, by reading and updating.
func (r *sites) keepDeployment(ctx context.Context, site *api.Site) (*appsv1.Deployment, error) {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: site.Namespace, Name: site.Name}}
	labels := map[string]string{"site": site.Name}
	done, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		deployment.Spec.Replicas = &site.Spec.Replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		if len(deployment.Spec.Template.Spec.Containers) == 0 {
			deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web"}}
		}
		deployment.Spec.Template.Spec.Containers[0].Image = site.Spec.Image
		return controllerutil.SetControllerReference(site, deployment, r.Scheme())
	})
	if err == nil && done != controllerutil.OperationResultNone {
		r.events.Eventf(site, deployment, corev1.EventTypeNormal, "Kept", "Keep", "the Deployment was %s", done)
	}
	return deployment, err
}

// keepConfigMap makes the ConfigMap of a Site what it should be, by server-side apply.
func (r *sites) keepConfigMap(ctx context.Context, site *api.Site) error {
	owner := applymeta.OwnerReference().
		WithAPIVersion(api.GroupVersion.String()).WithKind("Site").WithName(site.Name).WithUID(site.UID).
		WithController(true).WithBlockOwnerDeletion(true)
	config := applycore.ConfigMap(site.Name, site.Namespace).
		WithOwnerReferences(owner).
		WithData(map[string]string{"image": site.Spec.Image})
	return r.Apply(ctx, config, client.FieldOwner("site-operator"), client.ForceOwnership)
}

// report writes the status, and tells of it when the Site has become ready.
func (r *sites) report(ctx context.Context, site *api.Site, deployment *appsv1.Deployment) error {
	before := site.DeepCopy()
	site.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	seen, err := r.colourOf(ctx, site)
	if err != nil {
		return err
	}
	site.Status.Colour = seen
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionFalse, Reason: "RollingOut"}
	if site.Status.ReadyReplicas == site.Spec.Replicas {
		ready.Status, ready.Reason = metav1.ConditionTrue, "AllReady"
	}
	ready.Message = fmt.Sprintf("%d of %d are ready", site.Status.ReadyReplicas, site.Spec.Replicas)
	ready.ObservedGeneration = site.Generation
	turned := meta.IsStatusConditionTrue(before.Status.Conditions, "Ready") != (ready.Status == metav1.ConditionTrue)
	if !meta.SetStatusCondition(&site.Status.Conditions, ready) && before.Status.Colour == site.Status.Colour {
		return nil
	}
	if err := r.Status().Patch(ctx, site, client.MergeFrom(before)); err != nil {
		return err
	}
	if turned {
		r.oldEvents.Event(site, corev1.EventTypeNormal, ready.Reason, ready.Message)
	}
	return nil
}

// colourOf reads an annotation of the Secret of a Site, from a cache that holds metadata alone.
func (r *sites) colourOf(ctx context.Context, site *api.Site) (string, error) {
	secret := &metav1.PartialObjectMetadata{}
	secret.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Secret"))
	key := client.ObjectKey{Namespace: site.Namespace, Name: site.Spec.SecretName}
	err := r.Get(ctx, key, secret)
	return secret.Annotations[colour], client.IgnoreNotFound(err)
}

// clean removes what would outlive a Site where nobody collects garbage, and then its finalizer.
func (r *sites) clean(ctx context.Context, site *api.Site) error {
	if !controllerutil.ContainsFinalizer(site, finalizer) {
		return nil
	}
	selected := client.MatchingLabels{"site": site.Name}
	if err := r.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(site.Namespace), selected); err != nil {
		return err
	}
	for _, obj := range []client.Object{&appsv1.Deployment{}, &corev1.ConfigMap{}} {
		obj.SetNamespace(site.Namespace)
		obj.SetName(site.Name)
		if err := r.Delete(ctx, obj); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	before := site.DeepCopy()
	controllerutil.RemoveFinalizer(site, finalizer)
	if err := r.Patch(ctx, site, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return err
	}
	fmt.Println("cleaned", site.Name)
	return nil
}
