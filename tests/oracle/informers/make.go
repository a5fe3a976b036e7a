package main

import (
	"context"
	_ "embed"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

//go:embed kinds.yaml
var kinds string

// made creates an object of many kinds, reads and updates it, and deletes it.
func made(ctx context.Context, w *world) {
	cached := memory.NewMemCacheClient(discovery.NewDiscoveryClientForConfigOrDie(w.config))
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(cached)
	decode := scheme.Codecs.UniversalDeserializer().Decode
	for _, document := range strings.Split(strings.ReplaceAll(kinds, "NAMESPACE", w.namespace), "---\n") {
		obj, kind, err := decode([]byte(document), nil, nil)
		must(err)
		mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
		must(err)
		client := w.clientFor(mapping)
		resource := mapping.Resource.Resource
		into := obj.DeepCopyObject()
		err = client.Post().Namespace(w.namespace).Resource(resource).Body(obj).Do(ctx).Into(into)
		must(err)
		tell("create "+resource, into)
		found, err := meta.Accessor(into)
		must(err)
		found.SetLabels(map[string]string{"updated": "yes"})
		found.SetFinalizers(nil)
		err = client.Put().Namespace(w.namespace).Resource(resource).Name("made").Body(into).Do(ctx).Into(into)
		must(err)
		tell("update "+resource, into)
		must(client.Delete().Namespace(w.namespace).Resource(resource).Name("made").Body(&metav1.DeleteOptions{}).Do(ctx).Error())
		err = client.Get().Namespace(w.namespace).Resource(resource).Name("made").Do(ctx).Error()
		tell("get "+resource, status(err))
	}
}

// clientFor is a client for one group and version, which speaks as the typed clients do.
func (w *world) clientFor(mapping *meta.RESTMapping) rest.Interface {
	config := rest.CopyConfig(w.typed)
	version := mapping.GroupVersionKind.GroupVersion()
	config.GroupVersion = &version
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	config.APIPath = "/apis"
	if version.Group == "" {
		config.APIPath = "/api"
	}
	client, err := rest.RESTClientFor(config)
	must(err)
	return client
}
