#!/usr/bin/env bash
# debian.sh runs in a fresh Debian, as root, with the package in /root. It does what a new user does: installs
# it, tries it, reads about it, and removes it again.
set -Eeuo pipefail
trap 'echo "FAILED: line $LINENO: $BASH_COMMAND" >&2' ERR

step() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
as_ada() { su --login ada --command "$*"; }
as_bob() { su --login bob --command "$*"; } # what shells and systemctl write for themselves goes to his home

# has TEXT reads an output, shows its beginning, and fails without TEXT in it.
has() {
	local text
	text=$(cat)
	head -n "${2:-4}" <<<"$text" | cut -c-160
	grep -qF -- "$1" <<<"$text" || fail "the output does not have: $1"
}

step "a Debian with a user, manual pages, shells and systemd"
apt-get update -qq
apt-get install -qq --no-install-recommends bash-completion fish man-db systemd zsh >/dev/null 2>/root/apt.log || fail "$(cat /root/apt.log)"
for user in ada bob; do useradd --create-home --shell /bin/bash "$user"; done

step "apt install ./chela_*.deb"
cd /root
apt-get install -qq ./chela_*.deb >/dev/null 2>/root/apt.log || fail "$(cat /root/apt.log)"
dpkg-query --show --showformat '${Package} ${Version} ${db:Status-Status}\n' chela chromium | has 'chromium '
[[ $(stat -c %a:%U /usr/bin/chela) == 755:root ]] || fail "/usr/bin/chela has other rights"
dpkg --listfiles chela | sort >/root/ours
everything() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /var/lib/dpkg -o -path /root \) -prune -o -print | sort; }
everything >/root/installed

step "chela version, demo, doctor"
version=$(dpkg-query --show --showformat '${Version}' chela)
[[ $version != *~git* ]] || version=devel # no release
as_ada chela version | has "chela $version"
as_ada chela demo | has mug 40
as_ada chela start | has chela
as_ada chela doctor | has "OK linux-sandbox: pages run in Chromium's sandbox" 20
as_ada chela shutdown

step "man chela, man chela-click"
as_ada "MANPAGER=cat MANWIDTH=100 man chela" | has 'chela - gives AI agents a browser' 8
as_ada "MANPAGER=cat man chela-click" | has 'chela click' 8
man --warnings --encoding=utf8 --troff-device=utf8 chela chela-click 2>&1 >/dev/null | tee /root/warnings
[[ ! -s /root/warnings ]] || fail "man warns"
lexgrog /usr/share/man/man1/chela*.gz | tail -n 1
as_ada "apropos --exact chela" | has 'gives AI agents a browser'

step "completion in bash, zsh and fish"
cat >/tmp/complete.bash <<-'BASH'
	source /usr/share/bash-completion/bash_completion
	_completion_loader chela
	COMP_LINE="chela screensh" COMP_POINT=14 COMP_WORDS=(chela screensh) COMP_CWORD=1 COMP_TYPE=9
	$(complete -p chela | sed -E 's/.* -F (\S+).*/\1/') chela screensh chela 2>/dev/null
	echo "bash: ${COMPREPLY[*]}"
BASH
as_bob bash /tmp/complete.bash | has 'bash: screenshot'
as_bob "fish -c 'complete --do-complete \"chela screensh\"'" | has screenshot
cat >/tmp/complete.zsh <<-'ZSH'
	autoload -U compinit && compinit -u -D
	zmodload zsh/zpty
	zpty shell zsh -f -i
	zpty -w shell 'autoload -U compinit && compinit -u -D; PS1=; zstyle ":completion:*" list-prompt ""; echo begun'
	zpty -r shell out '*begun*'
	zpty -w -n shell $'chela screensh\t'
	zpty -r shell out '*screenshot*' && print "zsh: $_comps[chela], screenshot"
ZSH
as_bob timeout 60 zsh -f /tmp/complete.zsh | has 'zsh: _chela, screenshot'
rm /tmp/complete.*

step "the unit of systemd"
XDG_RUNTIME_DIR=/run systemd-analyze verify --user --man=no /usr/lib/systemd/user/chela.service
as_bob systemctl --user --root=/ --no-pager list-unit-files chela.service | has chela.service
as_bob systemctl --user enable chela 2>&1 | has default.target.wants/chela.service
as_bob systemctl --user disable chela 2>&1 | has Removed

step "apt purge chela"
apt-get purge -qq chela >/dev/null 2>/root/apt.log || fail "$(cat /root/apt.log)"
everything | grep -v '^/home/bob' >/root/purged
# What was the package's is gone, but for folders that others use as well.
while read -r path; do
	[[ -d $path && ! -L $path ]] && dpkg --search "$path" >/dev/null 2>&1 && continue
	[[ ! -e $path && ! -L $path ]] || fail "$path is left of the package"
done <<<"$(grep -vx '/.' /root/ours)"
step "what is left of the use"
comm -13 /root/installed /root/purged | tee /root/left | sed -E 's|^(/([^/]*/){3}).*|\1…|' | sort | uniq -c
# Folders for files that go in and out stay, without files in them.
if others=$(grep -vE '^/home/ada/\.chela(/|$)|^/tmp/chela(/downloads|/ports|/uploads)?$' /root/left); then
	fail "more than the state is left: $others"
fi
[[ -s /root/left ]] || fail "the state is gone"
step "all is well"
