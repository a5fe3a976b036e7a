package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/tools/record"
)

// scaled uses the subresources that have kinds of their own.
func scaled(ctx context.Context, w *world) {
	deployments := w.client.AppsV1().Deployments(w.namespace)
	scale, err := deployments.GetScale(ctx, "applied", metav1.GetOptions{})
	must(err)
	scale.Spec.Replicas = 7
	scale, err = deployments.UpdateScale(ctx, "applied", scale, metav1.UpdateOptions{})
	must(err)
	tell("scaled", scale)

	pods := w.client.CoreV1().Pods(w.namespace)
	spec := deployment("pod").Spec.Template.Spec
	spec.TerminationGracePeriodSeconds = new(int64)
	_, err = pods.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "pod"}, Spec: spec}, metav1.CreateOptions{})
	must(err)
	binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: "pod"}, Target: corev1.ObjectReference{Kind: "Node", Name: "node"}}
	must(pods.Bind(ctx, binding, metav1.CreateOptions{}))
	pod, err := pods.Get(ctx, "pod", metav1.GetOptions{})
	must(err)
	tell("bound", map[string]any{"node": pod.Spec.NodeName, "conditions": len(pod.Status.Conditions)})
	must(pods.EvictV1(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "pod"}}))

	accounts := w.client.CoreV1().ServiceAccounts(w.namespace)
	_, err = accounts.Create(ctx, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}, metav1.CreateOptions{})
	must(err)
	token, err := accounts.CreateToken(ctx, "robot", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	must(err)
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token.Status.Token}}
	review, err = w.client.AuthenticationV1().TokenReviews().Create(ctx, review, metav1.CreateOptions{})
	must(err)
	tell("reviewed", []any{review.Status.Authenticated, review.Status.User.Username, review.Status.User.Groups})
	attributes := &authorizationv1.ResourceAttributes{Namespace: w.namespace, Verb: "get", Resource: "pods"}
	access := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: attributes}}
	access, err = w.client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, access, metav1.CreateOptions{})
	must(err)
	tell("may", access.Status.Allowed)
}

// evented tells of one thing several times, by both APIs for events.
func evented(ctx context.Context, w *world) {
	subject, err := w.client.CoreV1().ConfigMaps(w.namespace).Get(ctx, "one", metav1.GetOptions{})
	must(err)
	old := record.NewBroadcaster()
	old.StartRecordingToSink(&typedcore.EventSinkImpl{Interface: w.client.CoreV1().Events("")})
	recorder := old.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "old"})
	fresh := events.NewBroadcaster(&events.EventSinkImpl{Interface: w.client.EventsV1()})
	fresh.StartRecordingToSink(ctx.Done())
	newRecorder := fresh.NewRecorder(scheme.Scheme, "new")
	for range 3 {
		recorder.Event(subject, corev1.EventTypeWarning, "Told", "thrice")
		newRecorder.Eventf(subject, nil, corev1.EventTypeNormal, "Said", "Say", "thrice")
	}
	seen := map[string]any{}
	err = wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
		found, err := w.client.CoreV1().Events(w.namespace).List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=one"})
		if err != nil {
			return false, err
		}
		complete := 0
		for _, event := range found.Items {
			// How often something was said is written down late, but for the first time that it is repeated.
			if event.Count == 3 || event.Series != nil {
				complete++
			}
			seen[event.Reason] = []any{event.Type, event.Message, event.Count, event.Series != nil, event.Action, event.ReportingController, event.Source.Component}
		}
		return complete == 2, nil
	})
	must(err)
	old.Shutdown()
	fresh.Shutdown()
	tell("events", seen)
}

// leased writes a lease, with times that are exact to the microsecond.
func leased(ctx context.Context, w *world) {
	leases := w.client.CoordinationV1().Leases(w.namespace)
	holder, seconds := "me", int32(15)
	now := metav1.NewMicroTime(time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC))
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: "lease"},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: &seconds, RenewTime: &now},
	}
	lease, err := leases.Create(ctx, lease, metav1.CreateOptions{})
	must(err)
	later := metav1.NewMicroTime(now.Add(1500 * time.Millisecond))
	lease.Spec.RenewTime = &later
	lease, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
	must(err)
	tell("lease", lease.Spec)
}

// paged reads a list in pages.
func paged(ctx context.Context, w *world) {
	for i := range 23 {
		made := configMap(fmt.Sprintf("page-%02d", i), nil)
		made.Labels = map[string]string{"paged": "yes"}
		_, err := w.client.CoreV1().ConfigMaps(w.namespace).Create(ctx, made, metav1.CreateOptions{})
		must(err)
	}
	var requests atomic.Int32
	config := rest.CopyConfig(w.config)
	config.Wrap(func(inner http.RoundTripper) http.RoundTripper {
		return counting{inner, func(*http.Request) { requests.Add(1) }}
	})
	maps := kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps(w.namespace)
	first, err := maps.List(ctx, metav1.ListOptions{Limit: 5, LabelSelector: "paged=yes"})
	must(err)
	tell("first page", []any{len(first.Items), first.RemainingItemCount, first.Continue != ""})
	requests.Store(0)
	reader := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) {
		return maps.List(ctx, options)
	}))
	reader.PageSize = 5
	var names []string
	err = reader.EachListItem(ctx, metav1.ListOptions{LabelSelector: "paged=yes"}, func(obj runtime.Object) error {
		names = append(names, obj.(*corev1.ConfigMap).Name)
		return nil
	})
	must(err)
	tell("pages", []any{requests.Load(), strings.Join(names, " ")})
	must(maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "paged=yes"}))
}
