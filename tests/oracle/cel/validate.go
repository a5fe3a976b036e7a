package main

import (
	"context"

	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// validate holds self against the rules of its schema, with oldSelf the object before an update.
func validate(asked *question) *answer {
	structural, err := readSchema(asked.Schema)
	if err != nil {
		return &answer{Error: "schema: " + err.Error()}
	}
	self, err := readValue(asked.Self)
	if err != nil {
		return &answer{Error: "self: " + err.Error()}
	}
	old, err := readValue(asked.OldSelf)
	if err != nil {
		return &answer{Error: "oldSelf: " + err.Error()}
	}
	reply := &answer{}
	validator := schemacel.NewValidator(structural, asked.Root, celconfig.PerCallLimit)
	if validator == nil {
		return reply
	}
	budget := int64(celconfig.RuntimeCELCostBudget)
	if asked.Limit != 0 {
		budget = int64(asked.Limit)
	}
	correlated := common.NewCorrelatedObject(self, old, &model.Structural{Structural: structural})
	var options []schemacel.Option
	if old != nil {
		options = append(options, schemacel.WithRatcheting(correlated))
	}
	errs, left := validator.Validate(context.Background(), field.NewPath("root"), structural, self, old, budget, options...)
	reply.Left = &left
	for _, each := range errs {
		reply.Rules = append(reply.Rules, rule{Type: string(each.Type), Field: each.Field, Message: each.ErrorBody()})
	}
	return reply
}
