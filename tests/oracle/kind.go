package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sort"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubejson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// definition is a kind: the schemas of all its versions, and what they refer to.
type definition struct {
	Name    string                  `json:"name"`
	Group   string                  `json:"group"`
	Kind    string                  `json:"kind"`
	Custom  bool                    `json:"custom"`
	Schemas map[string]*spec.Schema `json:"schemas"`
	// Renamed gives, for each version, how it calls those fields of spec that the first version calls otherwise.
	Renamed map[string]map[string]string `json:"renamed"`
	// Hub is the version that all others of a built-in kind convert to and from.
	Hub string `json:"hub"`
}

// write is an update or an apply. Fields of Reset are left alone, as are all but those of Only, by version.
type write struct {
	Kind        string                     `json:"kind"`
	Apply       bool                       `json:"apply"`
	Force       bool                       `json:"force"`
	Manager     string                     `json:"manager"`
	Version     string                     `json:"version"`
	Subresource string                     `json:"subresource"`
	Reset       map[string]json.RawMessage `json:"reset"`
	Only        map[string]json.RawMessage `json:"only"`
	Live        json.RawMessage            `json:"live"`
	Object      json.RawMessage            `json:"object"`
}

type kind struct {
	definition
	types managedfields.TypeConverter
}

func newKind(from *definition) (*kind, error) {
	types, err := managedfields.NewTypeConverter(from.Schemas, false)
	if err != nil {
		return nil, err
	}
	return &kind{definition: *from, types: types}, nil
}

func (k *kind) write(asked *write) (*answer, error) {
	filters, err := filters(asked)
	if err != nil {
		return nil, err
	}
	gvk := schema.GroupVersionKind{Group: k.Group, Version: asked.Version, Kind: k.Kind}
	hub := schema.GroupVersion{Group: k.Group, Version: k.Hub}
	if k.Custom { // there is no hub, so the version of the request is
		hub = gvk.GroupVersion()
	}
	manager, err := managedfields.NewDefaultCRDFieldManager(
		k.types, k, k, k, gvk, hub, asked.Subresource, filters,
	)
	if err != nil {
		return nil, err
	}
	live, err := k.object(asked.Live, gvk)
	if err != nil {
		return nil, err
	}
	object, err := k.object(asked.Object, gvk)
	if err != nil {
		return nil, err
	}

	var result runtime.Object
	if asked.Apply {
		result, err = manager.Apply(live, object, asked.Manager, asked.Force)
	} else {
		result, err = manager.Update(live, object, asked.Manager)
	}
	if err != nil {
		return refusal(err), nil
	}
	result, err = k.ConvertToVersion(result, gvk.GroupVersion())
	if err != nil {
		return nil, err
	}
	return &answer{Object: result.(*unstructured.Unstructured).Object}, nil
}

// object reads an object, or makes the empty one that a server starts from where there is none.
func (k *kind) object(data json.RawMessage, gvk schema.GroupVersionKind) (*unstructured.Unstructured, error) {
	out := &unstructured.Unstructured{Object: map[string]any{}}
	if len(data) == 0 || bytes.Equal(data, []byte("null")) {
		out.SetGroupVersionKind(gvk)
		return out, nil
	}
	return out, kubejson.Unmarshal(data, &out.Object)
}

func refusal(err error) *answer {
	reply := &answer{Error: err.Error()}
	var status apierrors.APIStatus
	if errors.As(err, &status) && status.Status().Details != nil {
		for _, cause := range status.Status().Details.Causes {
			reply.Causes = append(reply.Causes, map[string]string{
				"reason": string(cause.Type), "message": cause.Message, "field": cause.Field,
			})
		}
	}
	sort.SliceStable(reply.Causes, func(i, j int) bool {
		return reply.Causes[i]["message"]+reply.Causes[i]["field"] < reply.Causes[j]["message"]+reply.Causes[j]["field"]
	})
	return reply
}

func filters(asked *write) (map[fieldpath.APIVersion]fieldpath.Filter, error) {
	out := map[fieldpath.APIVersion]fieldpath.Filter{}
	for version, fields := range asked.Reset {
		set := fieldpath.NewSet()
		if err := set.FromJSON(bytes.NewReader(fields)); err != nil {
			return nil, err
		}
		out[fieldpath.APIVersion(version)] = fieldpath.NewExcludeSetFilter(set)
	}
	for version, fields := range asked.Only {
		var tree map[string]any
		if err := json.Unmarshal(fields, &tree); err != nil {
			return nil, err
		}
		matcher, err := matcher(tree)
		if err != nil {
			return nil, err
		}
		out[fieldpath.APIVersion(version)] = fieldpath.NewIncludeMatcherFilter(matcher)
	}
	return out, nil
}

// matcher reads a pattern: a tree of steps in which "*" stands for any, and nothing stands for everything.
func matcher(tree map[string]any) (*fieldpath.SetMatcher, error) {
	members := make([]*fieldpath.SetMemberMatcher, 0, len(tree))
	for step, below := range tree {
		subtree, ok := below.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%v is no pattern", below)
		}
		child, err := matcher(subtree)
		if err != nil {
			return nil, err
		}
		path := fieldpath.MatchAnyPathElement()
		if step != "*" {
			if path.PathElement, err = fieldpath.DeserializePathElement(step); err != nil {
				return nil, err
			}
			path.Wildcard = false
		}
		members = append(members, &fieldpath.SetMemberMatcher{Path: path, Child: child})
	}
	return fieldpath.NewSetMatcher(len(tree) == 0, members...), nil
}
