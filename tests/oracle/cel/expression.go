package main

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// selfType is the name of the type of self; the API server makes one up at random.
const selfType = "selfType"

func compute(asked *question) *answer {
	known, err := readSubject(asked)
	if err != nil {
		return &answer{Error: "schema: " + err.Error()}
	}
	if asked.Expression == "" && known.declared != nil {
		return &answer{Known: describe(known.declared)}
	}
	env, err := environmentOf(asked, known)
	if err != nil {
		return &answer{Error: "environment: " + err.Error()}
	}
	tree, issues := env.Compile(asked.Expression)
	if issues != nil {
		return &answer{Error: issues.String()}
	}
	reply := &answer{Type: cel.FormatCELType(tree.OutputType()), Nodes: nodesOf(tree)}
	estimator := &library.CostEstimator{SizeEstimator: known}
	cost, err := env.EstimateCost(tree, estimator)
	if err != nil {
		reply.Failure = "cost: " + err.Error()
		return reply
	}
	reply.Cost = &costRange{Min: cost.Min, Max: cost.Max}
	evaluate(asked, known, env, tree, reply)
	return reply
}

func environmentOf(asked *question, known *subject) (*cel.Env, error) {
	options := environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0)}
	if known.declared != nil {
		scoped := known.declared.MaybeAssignTypeName(selfType)
		old := scoped.CelType()
		if asked.OptionalOld {
			old = types.NewOptionalType(old)
		}
		options.DeclTypes = []*apiservercel.DeclType{scoped}
		options.EnvOptions = append(options.EnvOptions, cel.Variable("self", scoped.CelType()), cel.Variable("oldSelf", old))
	}
	for name, text := range asked.Variables {
		t, err := readType(text)
		if err != nil {
			return nil, err
		}
		options.EnvOptions = append(options.EnvOptions, cel.Variable(name, t))
	}
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	extended, err := base.Extend(options)
	if err != nil {
		return nil, err
	}
	return extended.NewExpressionsEnv(), nil
}

func evaluate(asked *question, known *subject, env *cel.Env, tree *cel.Ast, reply *answer) {
	bound, ready, err := bindings(asked, known, env)
	if err != nil {
		reply.Failure = "values: " + err.Error()
		return
	}
	if !ready {
		return
	}
	limit := asked.Limit
	if limit == 0 {
		limit = celconfig.PerCallLimit
	}
	program, err := env.Program(tree,
		cel.CostLimit(limit),
		cel.CostTracking(&library.CostEstimator{SizeEstimator: known}),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency))
	if err != nil {
		reply.Failure = "program: " + err.Error()
		return
	}
	value, details, err := program.Eval(bound)
	if details != nil {
		reply.Actual = details.ActualCost()
	}
	if err != nil {
		reply.Failure = err.Error()
		return
	}
	reply.Value = shown(value)
}

// bindings has the values of the variables; it is not ready while a variable has none.
func bindings(asked *question, known *subject, env *cel.Env) (map[string]any, bool, error) {
	bound := map[string]any{}
	known.bind(bound, asked.OptionalOld)
	if known.declared != nil && bound["self"] == nil {
		return nil, false, nil
	}
	for name := range asked.Variables {
		text, given := asked.Values[name]
		if !given {
			return nil, false, nil
		}
		value, err := constant(env, text)
		if err != nil {
			return nil, false, err
		}
		bound[name] = value
	}
	return bound, true, nil
}

func constant(env *cel.Env, text string) (ref.Val, error) {
	tree, issues := env.Compile(text)
	if issues != nil {
		return nil, issues.Err()
	}
	program, err := env.Program(tree)
	if err != nil {
		return nil, err
	}
	value, _, err := program.Eval(cel.NoVars())
	return value, err
}

var kinds = map[ast.ExprKind]string{
	ast.CallKind:          "call",
	ast.ComprehensionKind: "comprehension",
	ast.IdentKind:         "identifier",
	ast.ListKind:          "list",
	ast.LiteralKind:       "literal",
	ast.MapKind:           "map",
	ast.SelectKind:        "select",
	ast.StructKind:        "object",
}

// nodesOf tells of each node, those that it consists of before itself.
func nodesOf(tree *cel.Ast) []node {
	checked := tree.NativeRep()
	var nodes []node
	ast.PostOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		at, _ := checked.SourceInfo().GetOffsetRange(e.ID())
		told := node{Offset: at.Start, Kind: kinds[e.Kind()], Type: checker.FormatCELType(checked.GetType(e.ID()))}
		if reference, ok := checked.ReferenceMap()[e.ID()]; ok {
			told.Name, told.Overloads = reference.Name, reference.OverloadIDs
		}
		nodes = append(nodes, told)
	}))
	return nodes
}
