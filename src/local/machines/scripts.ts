// What runs on a machine, in any POSIX shell. All of Quarterdeck there is in one folder, which nobody else may write to.

/** Names that scripts contain unquoted. */
export type ProgramNames = {
	/** Folder of the program, such as `0.1.0-1a2b3c4d5e6f`. */
	readonly program: string;
	/** A copied Node, such as `node-v24.1.0`. */
	readonly node: string;
	/** The name of its file in what is copied. */
	readonly nodeFile: string;
};

/** Ends with a message on stderr if someone else could have put in place what is run. */
const prelude = ({program, node}: ProgramNames) => `
umask 077
d="$HOME/.local/share/quarterdeck/remote"
program="$d/${program}"
own_node="$d/${node}"
PATH="$HOME/.local/bin:$HOME/bin:$PATH:/usr/local/bin"
refuse() { echo "$1" >&2; exit 3; }
[ -n "$HOME" ] && [ -d "$HOME" ] || refuse "there is no home folder"
for f in "$HOME/.local/share/quarterdeck" "$d" "$program"; do
	[ -e "$f" ] || [ -L "$f" ] || continue
	[ -d "$f" ] && [ ! -L "$f" ] && [ -O "$f" ] || refuse "$f isn't a folder of yours: remove it"
	case "$(ls -ld "$f")" in
		d????w*|d???????w*) refuse "others can write to $f: remove it" ;;
	esac
done
find_node() {
	n="$own_node"
	[ -x "$n" ] && return
	n="$(command -v node)" && "$n" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)' || n=
}
say() { printf '\\nquarterdeck-%s 1\\n' "$1"; }
`;

/** Prints what there is, as NAME=VALUE. */
export const checkScript = (names: ProgramNames) => `${prelude(names)}
find_node
say machine
echo "system=$(uname -sm)"
echo "user=$(id -un)"
echo "hostname=$(uname -n)"
echo "hasNode=\${n:+yes}"
[ -f "$program/cli.cjs" ] && echo hasProgram=yes
command -v tar >/dev/null && command -v gzip >/dev/null && echo hasTar=yes
df -Pk "$HOME" | { read -r _; read -r _ _ _ free _; echo "free=$free"; }
exit 0
`;

/** Unpacks a tar.gz from standard input: the program's files, and perhaps `node`. All of it is in place, or nothing. */
export const copyScript = (names: ProgramNames) => `${prelude(names)}
mkdir -p "$d" || exit
t="$d/new-$$"
mkdir "$t" || exit
trap 'rm -rf "$t"' EXIT
trap 'exit 1' HUP INT TERM PIPE
say machine
gzip -dc | tar xof - -C "$t" || exit
[ -f "$t/cli.cjs" ] || refuse "the copy is incomplete"
node="$t/${names.nodeFile}"
if [ -f "$node" ]; then
	"$node" -v >/dev/null || refuse "the copied Node doesn't run here"
	mv "$node" "$own_node" || exit
fi
rm -rf "$program" && mv "$t" "$program"
`;

/** Becomes the bridge. */
export const bridgeScript = (names: ProgramNames) => `${prelude(names)}
find_node
if [ -z "$n" ] || [ ! -f "$program/cli.cjs" ]; then say absent; exit 0; fi
cd "$HOME"
exec "$n" "$program/cli.cjs" bridge
`;

/** Ends the service there, and removes all that was copied, and what Node compiled of it. */
export const removeScript = (names: ProgramNames) => `${prelude(names)}
find_node
say machine
[ -z "$n" ] || [ ! -f "$program/cli.cjs" ] || "$n" "$program/cli.cjs" serve --stop --yes >&2 || exit
rm -rf "$d" "$HOME/.cache/quarterdeck"
rmdir "$HOME/.local/share/quarterdeck" 2>/dev/null || :
`;
