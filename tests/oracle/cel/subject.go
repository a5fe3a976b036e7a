package main

import (
	"encoding/json"
	"fmt"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// subject is what a rule is about: the schema and the values of self and oldSelf.
type subject struct {
	structural *schema.Structural
	declared   *apiservercel.DeclType
	self, old  any
}

func readSubject(asked *question) (*subject, error) {
	known := &subject{}
	if len(asked.Schema) == 0 {
		return known, nil
	}
	structural, err := readSchema(asked.Schema)
	if err != nil {
		return nil, err
	}
	known.structural = structural
	if known.declared = model.SchemaDeclType(structural, asked.Root); known.declared == nil {
		return nil, fmt.Errorf("expressions cannot speak of it")
	}
	if asked.Root {
		known.structural = model.WithTypeAndObjectMeta(structural)
	}
	if known.self, err = readValue(asked.Self); err != nil {
		return nil, err
	}
	known.old, err = readValue(asked.OldSelf)
	return known, err
}

func readSchema(raw json.RawMessage) (*schema.Structural, error) {
	external := &apiextensionsv1.JSONSchemaProps{}
	if err := json.Unmarshal(raw, external); err != nil {
		return nil, err
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, internal, nil); err != nil {
		return nil, err
	}
	return schema.NewStructural(internal)
}

// readValue reads JSON as the API server does: whole numbers are int64.
func readValue(raw json.RawMessage) (any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var value any
	err := utiljson.Unmarshal(raw, &value)
	return value, err
}

func (s *subject) bind(into map[string]any, optional bool) {
	if s.structural == nil || s.self == nil {
		return
	}
	into["self"] = schemacel.UnstructuredToVal(s.self, s.structural)
	switch {
	case s.old != nil && optional:
		into["oldSelf"] = types.OptionalOf(schemacel.UnstructuredToVal(s.old, s.structural))
	case s.old != nil:
		into["oldSelf"] = schemacel.UnstructuredToVal(s.old, s.structural)
	case optional:
		into["oldSelf"] = types.OptionalNone
	}
}

// EstimateSize bounds the size of what the schema declares, as the API server does for rules: both self and
// oldSelf have the size that the schema allows.
func (s *subject) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 || s.declared == nil {
		return nil
	}
	at := s.declared
	for _, name := range path[1:] {
		switch name {
		case "@items", "@values":
			at = at.ElemType
		case "@keys":
			at = at.KeyType
		default:
			field, known := at.Fields[name]
			if !known {
				return nil
			}
			at = field.Type
		}
		if at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(at.MaxElements)}
}

// EstimateCallCost leaves the cost of calls to the libraries.
func (s *subject) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
