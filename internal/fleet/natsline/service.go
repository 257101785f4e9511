package natsline

import (
	"github.com/nats-io/nats.go/micro"
)

// A Service describes a node to NATS's own tools, for example: nats service list.
type Service struct {
	Node, Version string
	Subject       string // subject of the service's calls
	Labels        map[string]string
	Handle        func(message []byte, reply func([]byte) error)
	Stats         func() any // returns the data for the answer to STATS
}

// wireVersion is the version of the service. NATS requires the form of three numbers.
const wireVersion = "1.0.0"

// Offer registers a service with NATS, and lets it answer calls. There is no queue group: each node
// has a subject of its own.
func (l *Line) Offer(s Service) (end func() error, err error) {
	about := map[string]string{"node": s.Node, "chela": s.Version}
	for name, value := range s.Labels {
		about["label."+name] = value
	}
	service, err := micro.AddService(l.conn, micro.Config{
		Name: "chela", Version: wireVersion, Description: "A browser for agents, on another machine", Metadata: about, QueueGroupDisabled: true,
		StatsHandler: func(*micro.Endpoint) any { return s.Stats() },
	})
	if err != nil {
		return nil, err
	}
	err = service.AddEndpoint("call", micro.HandlerFunc(func(r micro.Request) {
		subject := r.Reply()
		s.Handle(r.Data(), func(answer []byte) error { return l.conn.Publish(subject, answer) })
	}), micro.WithEndpointSubject(s.Subject), micro.WithEndpointQueueGroupDisabled())
	if err != nil {
		service.Stop()
		return nil, err
	}
	return service.Stop, nil
}
