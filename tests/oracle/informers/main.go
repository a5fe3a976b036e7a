// Command informers does with client-go what programs do with it, and writes down what it sees: a line of
// JSON for each thing it has done, with what it is called and what came of it.
//
// Twice it waits for a line on its standard input, after it has said "waiting": so that its connections can be
// cut, and so that they can be cut for so long that what it missed is forgotten.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const patience = 30 * time.Second

// world is what every step works with.
type world struct {
	config    *rest.Config
	typed     *rest.Config
	namespace string
	client    kubernetes.Interface
	dynamic   dynamic.Interface
	metadata  metadata.Interface
	stdin     *bufio.Reader

	// Whether Services, which informers alone read, came as a list and as a stream.
	listed, streamed atomic.Bool
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the API server")
	namespace := flag.String("namespace", "default", "where to work")
	wire := flag.String("wire", runtime.ContentTypeProtobuf, "the content type to send and to prefer")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	must(err)
	config.QPS = -1
	w := &world{config: config, namespace: *namespace, stdin: bufio.NewReader(os.Stdin)}
	w.dynamic = dynamic.NewForConfigOrDie(config) // these two choose a wire of their own
	w.metadata = metadata.NewForConfigOrDie(config)
	w.typed = rest.CopyConfig(config)
	w.typed.ContentType = *wire
	w.typed.AcceptContentTypes = *wire + "," + runtime.ContentTypeJSON
	watched := rest.CopyConfig(w.typed)
	watched.Wrap(func(inner http.RoundTripper) http.RoundTripper { return counting{inner, w.see} })
	w.client = kubernetes.NewForConfigOrDie(watched)

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, step := range []func(context.Context, *world){
		discovered, mapped, refused, made, patched, applied, scaled, evented, leased, paged, informed,
	} {
		step(ctx, w)
	}
}

// see looks at a request of the typed clients.
func (w *world) see(request *http.Request) {
	if request.Method != http.MethodGet || !strings.HasSuffix(request.URL.Path, "/services") {
		return
	}
	query := request.URL.Query()
	switch {
	case query.Get("sendInitialEvents") == "true":
		w.streamed.Store(true)
	case query.Get("watch") != "true":
		w.listed.Store(true)
	}
}

// tell writes down what came of something.
func tell(what string, result any) {
	line, err := json.Marshal(map[string]any{"what": what, "result": result})
	must(err)
	fmt.Println(string(line))
}

// pause waits until somebody has done something to the connections.
func (w *world) pause() {
	fmt.Println("waiting")
	_, err := w.stdin.ReadString('\n')
	must(err)
}

// counting hands each request to a function before it is sent.
type counting struct {
	http.RoundTripper
	see func(*http.Request)
}

func (c counting) RoundTrip(request *http.Request) (*http.Response, error) {
	c.see(request)
	return c.RoundTripper.RoundTrip(request)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "informers:", err)
		os.Exit(1)
	}
}
