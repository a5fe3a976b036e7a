// Command operator is an operator as it is written with controller-runtime: it stands for election, keeps a
// Deployment and a ConfigMap for each Site, looks at Secrets by their metadata, reports in conditions and
// events, and cleans up behind a finalizer. It can serve webhooks that default and judge Sites.
//
// It prints "leading" when it leads and "cleaned NAME" when it has cleaned up after a Site. It runs until it
// is told to end.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	scheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"windlass.dev/operator/api"
)

func main() {
	namespace := flag.String("namespace", "default", "the namespace of the Sites, and of the lease")
	webhooks := webhook.Options{Host: "127.0.0.1"}
	flag.IntVar(&webhooks.Port, "webhook-port", 0, "where to serve webhooks; nowhere unless given")
	flag.StringVar(&webhooks.CertDir, "webhook-certificates", "", "the folder of their tls.crt and tls.key")
	flag.Parse() // controller-runtime has a flag for the kubeconfig
	ctrl.SetLogger(zap.New())
	if err := run(*namespace, webhooks); err != nil {
		fmt.Fprintln(os.Stderr, "operator:", err)
		os.Exit(1)
	}
}

func run(namespace string, webhooks webhook.Options) error {
	known := runtime.NewScheme()
	if err := scheme.AddToScheme(known); err != nil {
		return err
	}
	if err := api.AddToScheme(known); err != nil {
		return err
	}
	duration, deadline, retry := 4*time.Second, 3*time.Second, 500*time.Millisecond
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                  known,
		Cache:                   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		Metrics:                 server.Options{BindAddress: "0"},
		HealthProbeBindAddress:  "0",
		LeaderElection:          true,
		LeaderElectionID:        "site-operator",
		LeaderElectionNamespace: namespace,
		LeaseDuration:           &duration,
		RenewDeadline:           &deadline,
		RetryPeriod:             &retry,
		WebhookServer:           webhook.NewServer(webhooks),
	})
	if err != nil {
		return err
	}
	ctx := ctrl.SetupSignalHandler()
	if err := addSites(ctx, manager); err != nil {
		return err
	}
	if webhooks.Port != 0 {
		if err := addWebhooks(manager); err != nil {
			return err
		}
	}
	go func() {
		<-manager.Elected()
		fmt.Println("leading")
	}()
	return manager.Start(ctx)
}
