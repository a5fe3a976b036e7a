package main

import (
	"context"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// sized notes on a pod how much CPU its containers ask for, and gives each of them a limit.
type sized struct{}

func (sized) Default(_ context.Context, pod *corev1.Pod) error {
	var asked resource.Quantity
	for i := range pod.Spec.Containers {
		resources := &pod.Spec.Containers[i].Resources
		if cpu, ok := resources.Requests[corev1.ResourceCPU]; ok {
			asked.Add(cpu)
		}
		if resources.Limits == nil {
			resources.Limits = corev1.ResourceList{}
		}
		resources.Limits[corev1.ResourceMemory] = resource.MustParse("1Gi")
	}
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	pod.Annotations["bench.windlass.dev/milli-cpu"] = strconv.FormatInt(asked.MilliValue(), 10)
	return nil
}

// judge serves the webhook with the certificate of a folder, without any API server.
func judge(port, folder string) error {
	number, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: number, CertDir: folder})
	server.Register("/mutate-v1-pod", admission.WithDefaulter[*corev1.Pod](scheme, sized{}))
	fmt.Println("serving")
	return server.Start(ctrl.SetupSignalHandler())
}
