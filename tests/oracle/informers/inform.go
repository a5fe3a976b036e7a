package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

var sites = schema.GroupVersionResource{Group: "operator.example.com", Version: "v1", Resource: "sites"}

const unchanged = "unchanged"

// journal is what informers have told, by object, and the informers that have told of one a second time, as they
// do when they have listed their objects anew.
type journal struct {
	lock    sync.Mutex
	changed chan struct{}
	entries map[string][]string
	again   map[string]bool
}

func newJournal() *journal {
	return &journal{entries: map[string][]string{}, again: map[string]bool{}, changed: make(chan struct{}, 1)}
}

func (j *journal) add(informer, verb string, obj any) {
	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = gone.Obj
	}
	found, err := meta.Accessor(obj)
	must(err)
	if found.GetName() == "kube-root-ca.crt" || found.GetName() == "default" {
		return // a controller of a real cluster makes these
	}
	j.lock.Lock()
	defer j.lock.Unlock()
	if verb == unchanged {
		j.again[informer] = true
		return
	}
	key := informer + " " + found.GetName()
	j.entries[key] = append(j.entries[key], verb+" "+found.GetLabels()["step"])
	select {
	case j.changed <- struct{}{}:
	default:
	}
}

// updated tells a change from a repetition.
func updated(before, after any) string {
	then, err := meta.Accessor(before)
	must(err)
	now, err := meta.Accessor(after)
	must(err)
	if then.GetResourceVersion() == now.GetResourceVersion() {
		return unchanged
	}
	return "updated"
}

// until waits for the last that is told of an object.
func (j *journal) until(ctx context.Context, last string, keys ...string) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for !j.ends(last, keys) {
		select {
		case <-j.changed:
		case <-ctx.Done():
			must(fmt.Errorf("still waiting for %q of %v: %v", last, keys, j.entries))
		}
	}
}

func (j *journal) ends(last string, keys []string) bool {
	j.lock.Lock()
	defer j.lock.Unlock()
	return !slices.ContainsFunc(keys, func(key string) bool {
		told := j.entries[key]
		return len(told) == 0 || told[len(told)-1] != last
	})
}

func (j *journal) listen(name string, informer cache.SharedIndexInformer) {
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { j.add(name, "added", obj) },
		UpdateFunc: func(before, obj any) { j.add(name, updated(before, obj), obj) },
		DeleteFunc: func(obj any) { j.add(name, "deleted", obj) },
	})
	must(err)
}

// informed keeps caches of several kinds while objects change, through a cut and through a longer one.
func informed(ctx context.Context, w *world) {
	told := newJournal()
	typed := informers.NewSharedInformerFactoryWithOptions(w.client, 0, informers.WithNamespace(w.namespace))
	maps := typed.Core().V1().ConfigMaps().Informer()
	told.listen("maps", maps)
	told.listen("deployments", typed.Apps().V1().Deployments().Informer())
	told.listen("services", typed.Core().V1().Services().Informer())
	told.listen("leases", typed.Coordination().V1().Leases().Informer())
	dynamic := dynamicinformer.NewFilteredDynamicSharedInformerFactory(w.dynamic, 0, w.namespace, nil)
	told.listen("sites", dynamic.ForResource(sites).Informer())
	partial := metadatainformer.NewFilteredSharedInformerFactory(w.metadata, 0, w.namespace, nil)
	told.listen("metadata", partial.ForResource(corev1.SchemeGroupVersion.WithResource("secrets")).Informer())

	typed.Start(ctx.Done())
	dynamic.Start(ctx.Done())
	partial.Start(ctx.Done())
	typed.WaitForCacheSync(ctx.Done())
	dynamic.WaitForCacheSync(ctx.Done())
	partial.WaitForCacheSync(ctx.Done())

	w.change(ctx, "first")
	keys := []string{"maps changing", "deployments changing", "services changing", "sites changing", "metadata changing"}
	told.until(ctx, "updated first", keys...)
	w.pause()
	told.until(ctx, "updated cut", "maps changing")
	w.pause()
	told.until(ctx, "deleted cut", "maps changing")
	told.until(ctx, "added long", "maps missed")
	w.remove(ctx)
	told.until(ctx, "deleted first", keys[1:]...)
	told.lock.Lock()
	defer told.lock.Unlock()
	tell("told", told.entries)
	tell("told again", told.again)
	tell("services", map[string]bool{"listed": w.listed.Load(), "streamed": w.streamed.Load()})
	names := maps.GetStore().ListKeys()
	slices.Sort(names)
	tell("kept", names)
	w.await(ctx)
}

// change makes one object of each kind, and changes it.
func (w *world) change(ctx context.Context, step string) {
	labels := map[string]string{"step": step}
	create, update := metav1.CreateOptions{}, metav1.UpdateOptions{}
	core := w.client.CoreV1()

	made, err := core.ConfigMaps(w.namespace).Create(ctx, configMap("changing", nil), create)
	must(err)
	made.Labels = labels
	_, err = core.ConfigMaps(w.namespace).Update(ctx, made, update)
	must(err)
	deployments := w.client.AppsV1().Deployments(w.namespace)
	running, err := deployments.Create(ctx, deployment("changing"), create)
	must(err)
	running.Labels = labels
	_, err = deployments.Update(ctx, running, update)
	must(err)
	ports := corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}}
	service, err := core.Services(w.namespace).Create(ctx, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "changing"}, Spec: ports}, create)
	must(err)
	service.Labels = labels
	_, err = core.Services(w.namespace).Update(ctx, service, update)
	must(err)
	secret, err := core.Secrets(w.namespace).Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "changing"}, Data: map[string][]byte{"a": {0, 255}}}, create)
	must(err)
	secret.Labels = labels
	_, err = core.Secrets(w.namespace).Update(ctx, secret, update)
	must(err)
	site := &unstructured.Unstructured{}
	must(json.Unmarshal([]byte(`{"apiVersion":"operator.example.com/v1","kind":"Site","metadata":{"name":"changing"},"spec":{"image":"nginx","replicas":1}}`), site))
	site, err = w.dynamic.Resource(sites).Namespace(w.namespace).Create(ctx, site, create)
	must(err)
	site.SetLabels(labels)
	_, err = w.dynamic.Resource(sites).Namespace(w.namespace).Update(ctx, site, update)
	must(err)
}

// remove deletes what change made, but for what was deleted already.
func (w *world) remove(ctx context.Context) {
	core, options := w.client.CoreV1(), metav1.DeleteOptions{}
	must(w.client.AppsV1().Deployments(w.namespace).Delete(ctx, "changing", options))
	must(core.Services(w.namespace).Delete(ctx, "changing", options))
	must(core.Secrets(w.namespace).Delete(ctx, "changing", options))
	must(w.dynamic.Resource(sites).Namespace(w.namespace).Delete(ctx, "changing", options))
}

// await watches one object until it is as somebody wants it, the way that command-line tools do.
func (w *world) await(ctx context.Context) {
	maps := w.client.CoreV1().ConfigMaps(w.namespace)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	selected := "metadata.name=awaited"
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = selected
			return maps.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = selected
			return maps.Watch(ctx, options)
		},
	}
	_, err := maps.Create(ctx, configMap("awaited", nil), metav1.CreateOptions{})
	must(err)
	seen, err := watchtools.UntilWithSync(ctx, source, &corev1.ConfigMap{}, nil, func(event watch.Event) (bool, error) {
		return event.Object.(*corev1.ConfigMap).Name == "awaited", nil
	})
	must(err)
	tell("awaited", seen.Type)
}
