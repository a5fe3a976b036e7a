package main

import (
	"context"
	"fmt"
	"strings"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"windlass.dev/operator/api"
)

const mostReplicas = 10

// reviewer defaults and judges Sites when they are written.
type reviewer struct{}

func addWebhooks(manager ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(manager, &api.Site{}).
		WithDefaulter(reviewer{}).
		WithValidator(reviewer{}).
		Complete()
}

// Default gives an image without a tag the latest.
func (reviewer) Default(_ context.Context, site *api.Site) error {
	if !strings.Contains(site.Spec.Image, ":") {
		site.Spec.Image += ":latest"
	}
	return nil
}

func (reviewer) ValidateCreate(_ context.Context, site *api.Site) (admission.Warnings, error) {
	if site.Spec.Replicas > mostReplicas {
		return nil, fmt.Errorf("%d replicas are more than %d", site.Spec.Replicas, mostReplicas)
	}
	return nil, nil
}

func (r reviewer) ValidateUpdate(ctx context.Context, old, site *api.Site) (admission.Warnings, error) {
	if old.Spec.SecretName != site.Spec.SecretName {
		return nil, fmt.Errorf("the secret stays %q", old.Spec.SecretName)
	}
	return r.ValidateCreate(ctx, site)
}

func (reviewer) ValidateDelete(_ context.Context, site *api.Site) (admission.Warnings, error) {
	if site.Labels["protected"] != "" {
		return nil, fmt.Errorf("it is protected")
	}
	return nil, nil
}
