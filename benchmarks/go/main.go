// The peer that uses controller-runtime: `operator reconcile SEED` keeps the status of every Widget fresh,
// `operator fill` fills a cache with them, `operator webhook PORT FOLDER` judges pods. Each prints a line when it is
// ready and runs until it is told to end.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"windlass.dev/benchmarks/api"
)

const workers = 16

type widgets struct {
	client.Client
	seed string
}

func (r *widgets) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var widget api.Widget
	if err := r.Get(ctx, req.NamespacedName, &widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	fresh := api.WidgetStatus{
		ObservedGeneration: widget.Generation,
		Digest:             digest(r.seed, widget.Spec.Description),
		Ready:              true,
	}
	if widget.Status == fresh {
		return ctrl.Result{}, nil
	}
	before := widget.DeepCopy()
	widget.Status = fresh
	return ctrl.Result{}, r.Status().Patch(ctx, &widget, client.MergeFrom(before))
}

func digest(seed, text string) string {
	sum := sha256.Sum256([]byte(text))
	return seed + ":" + hex.EncodeToString(sum[:8])
}

func run(task, seed string) error {
	scheme := runtime.NewScheme()
	if err := api.AddToScheme(scheme); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                 scheme,
		Metrics:                server.Options{BindAddress: "0"},
		HealthProbeBindAddress: "0",
	})
	if err != nil {
		return err
	}
	if task == "reconcile" {
		err = ctrl.NewControllerManagedBy(manager).
			For(&api.Widget{}).
			WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
			Complete(&widgets{Client: manager.GetClient(), seed: seed})
	} else {
		err = fill(manager)
	}
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

// fill asks for an informer; what it has seen when it is in sync is the whole collection.
func fill(manager ctrl.Manager) error {
	return manager.Add(runnable(func(ctx context.Context) error {
		if _, err := manager.GetCache().GetInformer(ctx, &api.Widget{}); err != nil {
			return err
		}
		fmt.Println("synced")
		<-ctx.Done()
		return nil
	}))
}

type runnable func(ctx context.Context) error

func (r runnable) Start(ctx context.Context) error { return r(ctx) }

func main() {
	ctrl.SetLogger(zap.New())
	var err error
	switch task := os.Args[1]; task {
	case "webhook":
		err = judge(os.Args[2], os.Args[3])
	case "reconcile":
		err = run(task, os.Args[2])
	default:
		err = run(task, "")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
