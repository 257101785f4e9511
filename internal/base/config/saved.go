package config

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"time"
)

// profilesFile returns the file for profiles that chela has made or given a port, if the
// configuration file cannot be edited, see [UneditableError]. The file has the shape of
// browser.profiles. If a key is also in the configuration file, the value there counts. Beside the
// profiles it has [versionKey].
func (s State) profilesFile() string { return filepath.Join(s.Dir, "profiles.json") }

// versionKey is where the profiles file has its version. No profile has a name like this.
const versionKey = "$version"

// savedProfiles reads the profiles file; nil if there is none. Errors are a [*FileError] and a
// [*NewerError].
func (s State) savedProfiles() (map[string]any, error) {
	file := s.profilesFile()
	saved, _, err := readTree(file)
	if err != nil {
		return nil, err
	}
	if version, ok := saved[versionKey].(float64); ok {
		if err := CheckVersion(file, int(version)); err != nil {
			return nil, err
		}
		delete(saved, versionKey)
	}
	var r treeCheck
	r.value("browser.profiles", saved, reflect.TypeFor[map[string]Profile]())
	if len(r.wrongTypes) > 0 {
		return nil, &FileError{File: file, Problem: r.wrongTypes[0].Error()}
	}
	return saved, nil
}

// addSaved adds the saved profiles to the tree of a configuration file. A key that the file also
// has keeps its value.
func addSaved(tree, saved map[string]any) {
	if len(saved) == 0 {
		return
	}
	profiles := objectIn(objectIn(tree, "browser"), "profiles")
	for name, keys := range saved {
		profile := objectIn(profiles, name)
		for key, value := range keys.(map[string]any) {
			if _, ok := profile[key]; !ok {
				profile[key] = value
			}
		}
	}
}

// objectIn returns the object at a key of another object, and adds an empty one if it is missing. A
// value of another type stays, so that it is found when types are compared.
func objectIn(object map[string]any, key string) map[string]any {
	if below, ok := object[key].(map[string]any); ok {
		return below
	}
	below := map[string]any{}
	if object[key] == nil {
		object[key] = below
	}
	return below
}

// SaveProfile writes the settings of p for a profile, and leaves its other settings. It writes to
// the configuration file or, if that cannot be edited, to the profiles file of the state directory.
// It returns the file that was written, and why it is not the configuration file: nil, or an
// [*UneditableError]. Errors are an [*OutdatedError], a [*FileError], a [*NewerError], or come from
// the file system.
func (l *Live) SaveProfile(name string, p Profile) (file string, instead *UneditableError, err error) {
	keys, err := treeOf(p)
	if err != nil {
		return "", nil, err
	}
	c := l.Current()
	if err := c.checkInForce(); err != nil {
		return "", nil, err
	}
	err = c.edit([]string{"browser", "profiles", name}, p)
	instead, ok := errors.AsType[*UneditableError](err)
	if !ok {
		return c.File, nil, err
	}
	err = c.State.changeSaved(func(saved map[string]any) {
		profile := objectIn(saved, name)
		maps.Copy(profile, keys)
	})
	return c.State.profilesFile(), instead, err
}

// RemoveProfile removes a profile from the configuration file, and from the file to which
// [Live.SaveProfile] has written it. It returns the errors of SaveProfile, and an
// [*UneditableError] if the profile is in a file that cannot be edited.
func (l *Live) RemoveProfile(name string) error {
	c := l.Current()
	if err := c.checkInForce(); err != nil {
		return err
	}
	if err := c.removeFromFile(name); err != nil {
		return err
	}
	return c.State.changeSaved(func(saved map[string]any) { delete(saved, name) })
}

// checkInForce returns an [*OutdatedError] if what the files say is not what is in force. If a file
// is gone or empty, writing a profile would make a new file with that profile only. All other
// settings would then have their defaults.
func (c *Config) checkInForce() error {
	if c.Outdated != "" {
		return &OutdatedError{c.Outdated}
	}
	return nil
}

// An OutdatedError says that profiles cannot be changed until the configuration file is
// correct again.
type OutdatedError struct{ Problem string }

func (e *OutdatedError) Error() string { return e.Problem }

// removeFromFile removes a profile from the configuration file, if it is there.
func (c *Config) removeFromFile(name string) error {
	tree, _, err := readTree(c.File)
	if tree == nil {
		return err
	}
	if _, ok := objectIn(objectIn(tree, "browser"), "profiles")[name]; !ok {
		return nil
	}
	return c.edit([]string{"browser", "profiles", name}, nil)
}

// treeOf returns a profile in the form of the file.
func treeOf(p Profile) (keys map[string]any, err error) {
	raw, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(raw, &keys)
	}
	return keys, err
}

// changeSaved changes the profiles file.
func (s State) changeSaved(change func(saved map[string]any)) error {
	return s.whileEditing(func() error {
		saved, err := s.savedProfiles()
		if err != nil {
			return err
		}
		if saved == nil {
			saved = map[string]any{}
		}
		before := len(saved)
		change(saved)
		if before == 0 && len(saved) == 0 {
			return nil
		}
		saved[versionKey] = StateVersion
		raw, err := json.MarshalIndent(saved, "", "  ")
		if err != nil {
			return err
		}
		return ReplaceFile(s.profilesFile(), append(raw, '\n'), PastPowerLoss)
	})
}

// editTime is how long an edit of these files waits until another process has ended its own. An
// edit takes milliseconds.
const editTime = 5 * time.Second

// whileEditing calls the function do while no other process edits these files.
func (s State) whileEditing(do func() error) error {
	if err := makePrivate(s.Dir); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), editTime, errors.New("another process is editing the configuration"))
	defer cancel()
	release, err := lock(ctx, filepath.Join(s.Dir, "config.lock"))
	if err != nil {
		return err
	}
	defer release()
	return do()
}

// realPath follows the symbolic links of a path to the file, which need not exist. A link to a file
// that is kept elsewhere must not be replaced by a file. So it is a [*FileError] if the path is a
// link, and the file does not exist.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, checkNoLink(path)
	}
	return real, err
}
