package page

// OriginHeaders are headers that requests to an origin get.
type OriginHeaders struct {
	Origin  Origin            `json:"origin"`
	Headers map[string]string `json:"headers"`
}
