package hdrsidecar

import (
	"log/slog"
	"strings"
	"sync"
)

// How the states without a connection begin.
const away = "away"

// stateLog writes a line for a state that is new. Never called under a lock: the logger is the application's, and may call
// this client.
type stateLog struct {
	logger *slog.Logger

	mu   sync.Mutex
	said map[string]bool
}

func newStateLog(logger *slog.Logger) *stateLog {
	return &stateLog{logger: logger, said: map[string]bool{}}
}

func (l *stateLog) once(state, message string, args ...any) {
	if l.isNew(state) {
		l.logger.Warn(message, args...)
	}
}

// isNew forgets states when there are many.
func (l *stateLog) isNew(state string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.said[state] {
		return false
	}
	if len(l.said) >= 20 {
		clear(l.said)
	}
	l.said[state] = true
	return true
}

// forget lets states that begin so be said once more.
func (l *stateLog) forget(prefix string) (wasSaid bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for state := range l.said {
		if strings.HasPrefix(state, prefix) {
			delete(l.said, state)
			wasSaid = true
		}
	}
	return wasSaid
}
