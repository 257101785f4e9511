package chrome

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
		has     []string
		hasNot  []string
	}{
		{"plain", Options{UserDataDir: "/d"},
			[]string{"--user-data-dir=/d", "--no-first-run", "--remote-debugging-pipe", "--no-proxy-server", "--disable-auto-reload",
				"--disable-blink-features=AutomationControlled", featuresFlag + strings.Join(disabledFeatures, ","), blinkFlag + noSelection},
			[]string{"--headless", "--animation-duration-scale", "--window-size", "--remote-debugging-port"}},
		{"headless", Options{Headless: true}, []string{"--headless=new", "--disable-gpu", "--animation-duration-scale=0"}, nil},
		{"a port beside the pipe", Options{Port: 18801}, []string{"--remote-debugging-pipe", "--remote-debugging-port=18801"}, nil},
		{"certificates", Options{IgnoreCertificates: true}, []string{"--ignore-certificate-errors"}, nil},
		{"windows of a profile", Options{ProfileName: "work"}, []string{"--class=chela-work"}, nil},
		{"no windows", Options{ProfileName: "work", Headless: true}, nil, []string{"--class"}},
		{"no sandbox", Options{NoSandbox: true}, []string{"--no-sandbox", "--disable-setuid-sandbox"}, nil},
		{"a proxy", Options{ExtraArgs: []string{"--proxy-server=http://p"}}, []string{"--proxy-server=http://p"}, []string{"--no-proxy-server"}},
		{"the proxy of a policy", Options{Proxy: "socks5://127.0.0.1:1", ExtraArgs: []string{"--lang=de", "--proxy-server=http://p", "--no-proxy-server",
			"--proxy-bypass-list=*", "--host-resolver-rules=MAP * 127.0.0.1", "--force-webrtc-ip-handling-policy=default", "--proxy-pac-url=http://p"}},
			append([]string{"--lang=de"}, throughProxy("socks5://127.0.0.1:1")...),
			[]string{"--no-proxy-server", "--proxy-server=http", "--proxy-bypass-list=*", "--host-resolver-rules=MAP * 127", "--proxy-pac-url"}},
		{"the proxy of a policy, and other forms of flags", Options{Proxy: "socks5://127.0.0.1:1", ExtraArgs: []string{
			"-no-proxy-server", " --no-proxy-server ", "-proxy-pac-url=http://p", "\t-enable-quic", "--remote-debugging-port=9222", "-remote-debugging-address=0.0.0.0"}},
			throughProxy("socks5://127.0.0.1:1"),
			[]string{"-no", " ", "\t", "-proxy-pac", "--remote-debugging-port", "-remote"}},
		{"a script for proxies", Options{ExtraArgs: []string{"--proxy-pac-url=http://p"}}, nil, []string{"--no-proxy-server"}},
		{"a proxy that finds itself", Options{ExtraArgs: []string{"--proxy-auto-detect"}}, nil, []string{"--no-proxy-server"}},
		{"features", Options{ExtraArgs: []string{"--disable-features=A,B", "--lang=de", "-disable-features=C"}},
			[]string{featuresFlag + strings.Join(disabledFeatures, ",") + ",A,B,C", "--lang=de"},
			[]string{"--disable-features=A", "-disable-features=C"}},
		{"settings of Blink", Options{Headless: true, ExtraArgs: []string{"--blink-settings=imagesEnabled=false"}},
			[]string{blinkFlag + noSelection + "," + strings.Join(mouseSettings, ",") + ",imagesEnabled=false"}, []string{"--blink-settings=images"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := arguments(test.options)
			for _, flag := range test.has {
				if !slices.Contains(args, flag) {
					t.Errorf("no %s in %v", flag, args)
				}
			}
			for _, prefix := range test.hasNot {
				if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, prefix) }) {
					t.Errorf("%s in %v", prefix, args)
				}
			}
		})
	}
}

func TestArgumentsOfTheUserComeLast(t *testing.T) {
	extra := []string{"--window-size=1,1", "--lang=de"}
	args := arguments(Options{ExtraArgs: extra})
	if diff := cmp.Diff(extra, args[len(args)-2:]); diff != "" {
		t.Errorf("last (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(arguments(Options{}), arguments(Options{})); diff != "" {
		t.Errorf("one launch changes the next:\n%s", diff)
	}
}

func TestWithoutEffect(t *testing.T) {
	got := WithoutEffect([]string{"--lang=de", "-no-proxy-server", "--proxy-server=http://p", "--host-resolver-rules=MAP a b", "--remote-debugging-port=1", "url"})
	if diff := cmp.Diff([]string{"--no-proxy-server", "--remote-debugging-port"}, got); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
}

func TestEnvironment(t *testing.T) {
	got := environment([]string{
		"PATH=/bin", "HOME=/h", "http_proxy=p", "HTTPS_PROXY=p", "no_proxy=n",
		"GITHUB_TOKEN=t", "AWS_SECRET_ACCESS_KEY=s", "OPENAI_API_KEY=k", "XDG_CACHE_HOME=/c",
	}, "/profile")
	want := []string{"PATH=/profile/.chela-bin:/bin", "HOME=/h", "XDG_CACHE_HOME=/c", "XDG_CONFIG_HOME=/profile/.xdg"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}
