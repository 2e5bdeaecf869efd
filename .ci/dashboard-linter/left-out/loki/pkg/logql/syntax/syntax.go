// Package syntax has the names that dashboard-linter asks of Loki's LogQL, for dashboards that have none.
package syntax

import (
	"errors"
	"time"
)

// Expr is what an expression would be.
type Expr interface{}

// The expressions that the linter looks into.
type (
	BinOpExpr             struct{ SampleExpr, RHS Expr }
	RangeAggregationExpr  struct{ Left *LogRangeExpr }
	VectorAggregationExpr struct{ Left Expr }
	LabelReplaceExpr      struct{ Left Expr }
	PipelineExpr          struct {
		Left        Expr
		MultiStages []Expr
	}
	LogRangeExpr struct {
		Left     Expr
		Interval time.Duration
	}
)

// ParseExpr refuses every expression.
func ParseExpr(string) (Expr, error) {
	return nil, errors.New("this build of dashboard-linter reads no LogQL; see .ci/dashboard-linter/go.mod")
}
