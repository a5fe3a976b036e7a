// Command election stands for election with client-go, the way that operators written in Go do.
//
// It prints a line for whatever it learns: "leader NAME" for a leader that it has not seen before, "leading"
// when it leads itself, and "stopped" at its end. It ends, and hands the lease over, when its standard input
// ends, and when it loses the lease.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the API server")
	namespace := flag.String("namespace", "default", "the namespace of the lease")
	name := flag.String("name", "", "the name of the lease")
	identity := flag.String("identity", "", "who this process is")
	duration := flag.Duration("duration", 15*time.Second, "how long the others wait")
	deadline := flag.Duration("deadline", 10*time.Second, "how long a leader goes without a renewal")
	retry := flag.Duration("retry", 2*time.Second, "how often everybody tries")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		fail(err)
	}
	leases, err := coordination.NewForConfig(config)
	if err != nil {
		fail(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: *namespace, Name: *name},
			Client:     leases,
			LockConfig: resourcelock.ResourceLockConfig{Identity: *identity},
		},
		LeaseDuration:   *duration,
		RenewDeadline:   *deadline,
		RetryPeriod:     *retry,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { fmt.Println("leading") },
			OnStoppedLeading: func() { fmt.Println("stopped") },
			OnNewLeader:      func(leader string) { fmt.Println("leader", leader) },
		},
	})
	if err != nil {
		fail(err)
	}
	elector.Run(ctx)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "election:", err)
	os.Exit(1)
}
