// Package v2 has the names that dashboard-linter asks of Grafana's dashboard schema v2, for dashboards that are of v1.
package v2

import "errors"

// DashboardSpec cannot be read.
type DashboardSpec struct {
	Title       string
	Editable    *bool
	Elements    map[string]DashboardElement
	Variables   []DashboardVariableKind
	Annotations []DashboardAnnotationQueryKind
}

// UnmarshalJSON refuses every dashboard.
func (*DashboardSpec) UnmarshalJSON([]byte) error {
	return errors.New("this build of dashboard-linter reads no schema v2; see .ci/dashboard-linter/go.mod")
}

// What a dashboard would be made of.
type (
	DashboardElement struct {
		PanelKind *struct{ Spec DashboardPanelSpec }
	}
	DashboardPanelSpec struct {
		Id                 float64
		Title, Description string
		Data               struct {
			Spec struct{ Queries []DashboardPanelQueryKind }
		}
		VizConfig struct {
			Group string
			Spec  struct{ FieldConfig, Options any }
		}
	}
	DashboardPanelQueryKind struct {
		Spec struct {
			RefId  string
			Hidden bool
			Query  DashboardDataQueryKind
		}
	}
	DashboardDataQueryKind struct {
		Group      string
		Datasource *struct{ Name *string }
		Spec       map[string]any
	}
	DashboardAnnotationQueryKind struct {
		Spec struct {
			Name  string
			Query DashboardDataQueryKind
		}
	}
	DashboardVariableKind struct {
		QueryVariableKind                                        *queryVariable
		DatasourceVariableKind, CustomVariableKind               *variable
		IntervalVariableKind, ConstantVariableKind               *variable
		TextVariableKind, AdhocVariableKind, GroupByVariableKind *variable
		SwitchVariableKind                                       *variable
	}
	queryVariable struct {
		Spec struct {
			Name            string
			Label, AllValue *string
			Multi           bool
			Refresh         DashboardVariableRefresh
			Query           DashboardDataQueryKind
		}
	}
	variable struct {
		Spec struct {
			Name, Query, PluginId string
			Label, AllValue       *string
			Multi                 bool
			Refresh               DashboardVariableRefresh
		}
	}
)

// DashboardVariableRefresh says when a variable is asked again.
type DashboardVariableRefresh string

// When a variable is asked again.
const (
	DashboardVariableRefreshOnDashboardLoad    DashboardVariableRefresh = "onDashboardLoad"
	DashboardVariableRefreshOnTimeRangeChanged DashboardVariableRefresh = "onTimeRangeChanged"
)
