package main

import (
	"github.com/google/cel-go/checker"

	"k8s.io/apiserver/pkg/cel/environment"
)

// overload is one signature of a function.
type overload struct {
	ID        string   `json:"id"`
	Arguments []string `json:"arguments"`
	Result    string   `json:"result"`
	Member    bool     `json:"member"`
}

// list tells every function that expressions can call, with its overloads in the order in which they are tried.
func list() *answer {
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).NewExpressionsEnv()
	functions := map[string][]overload{}
	for name, function := range env.Functions() {
		for _, each := range function.OverloadDecls() {
			arguments := []string{}
			for _, argument := range each.ArgTypes() {
				arguments = append(arguments, checker.FormatCELType(argument))
			}
			functions[name] = append(functions[name], overload{
				ID:        each.ID(),
				Arguments: arguments,
				Result:    checker.FormatCELType(each.ResultType()),
				Member:    each.IsMemberFunction(),
			})
		}
	}
	return &answer{Functions: functions}
}
