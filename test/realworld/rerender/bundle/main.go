// Command bundle makes a script of each framework's application, with the framework in it.
package main

import (
	"flag"
	"log"
	"os/exec"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	apps := flag.String("apps", "", "folder of the applications")
	npm := flag.String("npm", "", "folder node_modules, with the frameworks")
	out := flag.String("out", "", "folder of the scripts")
	flag.Parse()
	folder, err := filepath.Abs(*npm)
	if err != nil {
		log.Fatal(err)
	}
	var entries []string
	for _, name := range []string{"react.jsx", "vue.js", "svelte.js", "lit.js", "htmx.js"} {
		entries = append(entries, filepath.Join(*apps, name))
	}
	built := api.Build(api.BuildOptions{
		EntryPoints: entries,
		Outdir:      *out,
		Bundle:      true,
		Write:       true,
		Format:      api.FormatIIFE,
		Target:      api.ES2022,
		JSX:         api.JSXAutomatic,
		NodePaths:   []string{folder},
		Define: map[string]string{
			"process.env.NODE_ENV": `"production"`,
			// Vue's own flags.
			"__VUE_OPTIONS_API__":                     "true",
			"__VUE_PROD_DEVTOOLS__":                   "false",
			"__VUE_PROD_HYDRATION_MISMATCH_DETAILS__": "false",
		},
		Plugins:  []api.Plugin{svelte(folder)},
		LogLevel: api.LogLevelWarning,
	})
	if len(built.Errors) > 0 {
		log.Fatal("not built")
	}
}

// svelte returns a plugin that compiles components with Svelte's own compiler, which runs in node.
func svelte(npm string) api.Plugin {
	const compile = `
		const { compile } = require(process.argv[1] + '/svelte/compiler');
		process.stdout.write(compile(require('fs').readFileSync(process.argv[2], 'utf8'), { filename: process.argv[2], dev: false }).js.code);`
	return api.Plugin{Name: "svelte", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: `\.svelte$`}, func(args api.OnLoadArgs) (loaded api.OnLoadResult, err error) {
			code, err := exec.Command("node", "-e", compile, npm, args.Path).Output()
			text := string(code)
			loaded.Contents = &text
			return loaded, err
		})
	}}
}
