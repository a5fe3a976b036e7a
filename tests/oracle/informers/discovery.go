package main

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/restmapper"
)

// discovered lists what the server has, from a cache that is filled once.
func discovered(_ context.Context, w *world) {
	cached := memory.NewMemCacheClient(discovery.NewDiscoveryClientForConfigOrDie(w.config))
	groups, lists, err := cached.ServerGroupsAndResources()
	must(err)
	var names []string
	for _, group := range groups {
		if builtIn(group.Name) {
			names = append(names, group.Name+" "+group.PreferredVersion.Version)
		}
	}
	slices.Sort(names) // the order of groups that are of one priority is a server's own
	tell("groups", names)
	resources := map[string]any{}
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		must(err)
		if builtIn(version.Group) {
			slices.SortFunc(list.APIResources, func(a, b metav1Resource) int { return strings.Compare(a.Name, b.Name) })
			resources[list.GroupVersion] = list.APIResources
		}
	}
	tell("resources", resources)
	tell("fresh", cached.Fresh())
	paths, err := cached.OpenAPIV3().Paths()
	must(err)
	var served []string
	for path := range paths {
		if group, version, found := strings.Cut(strings.TrimPrefix(path, "apis/"), "/"); found && builtIn(group) {
			served = append(served, group+"/"+version)
		}
	}
	slices.Sort(served)
	tell("openapi", served)
}

// mapped translates between kinds and resources, by shortcuts too.
func mapped(_ context.Context, w *world) {
	cached := memory.NewMemCacheClient(discovery.NewDiscoveryClientForConfigOrDie(w.config))
	deferred := restmapper.NewDeferredDiscoveryRESTMapper(cached)
	short := restmapper.NewShortcutExpander(deferred, cached, func(warning string) { tell("warning", warning) })
	kinds := map[string]string{}
	for _, name := range []string{"deploy", "po", "svc", "cm", "events", "ing", "netpol", "crd", "nowhere", "leases"} {
		kind, err := short.KindFor(schema.GroupVersionResource{Resource: name})
		kinds[name] = kind.String()
		if err != nil {
			kinds[name] = err.Error()
		}
	}
	tell("kinds", kinds)
	resources := map[string]string{}
	for _, kind := range []schema.GroupKind{
		{Group: "apps", Kind: "Deployment"}, {Kind: "Node"}, {Group: "events.k8s.io", Kind: "Event"},
		{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}, {Group: "apps", Kind: "Nothing"},
	} {
		mapping, err := short.RESTMapping(kind)
		if err != nil {
			resources[kind.String()] = err.Error()
			continue
		}
		resources[kind.String()] = mapping.Resource.String() + " " + string(mapping.Scope.Name())
	}
	tell("mappings", resources)
}

// notServed are the groups that the embedded server does without.
var notServed = []string{
	"apiregistration.k8s.io", "certificates.k8s.io", "flowcontrol.apiserver.k8s.io", "resource.k8s.io", "openid",
}

// builtIn tells whether a group is one of those that both servers have of themselves.
func builtIn(group string) bool {
	foreign := strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
	return !foreign && !slices.Contains(notServed, group)
}
