import {
	accessSync,
	constants,
	existsSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {delimiter, dirname, isAbsolute, join} from 'node:path';
import {makeFolder} from '../../hooks/runtime-folder.ts';
import {ifPossible} from '../domain/if-possible.ts';
import {quote, unquote} from './hook-command.ts';
import {SettingsFileError} from './settings-file.ts';

/** The launcher and what it runs; all paths are absolute. */
export type Program = {readonly launcher: string; readonly node: string; readonly hook: string};

/**
 * The program that the clients' settings name. It lies in the state folder, so that it outlives a release of Node or
 * of ours: `hooks install` then writes only this file again.
 */
export function launcherFile(stateFolder: string): string {
	return join(stateFolder, 'quarterdeck-hook');
}

export class HookMissingError extends Error {
	override readonly name = 'HookMissingError';
}

/** Finds the hook binary next to the running entry (`script`, its path), where the package and the build put it. */
export function findHook(script: string): string {
	const hook = join(dirname(realpathSync(script)), 'hook.cjs');
	if (existsSync(hook)) return hook;
	throw new HookMissingError(`${hook} is missing: reinstall quarterdeck, or build it with npm run build`);
}

/** Folders that don't outlive a shell or a boot. */
const shortLived = /^\/(run|tmp|proc|dev)\/|\/fnm_multishells\//;

/**
 * The most durable path of the running Node: a link on PATH outlives the versioned folder it points to.
 * `running` is `process.execPath`.
 */
export function findNode(running: string, path: string | undefined): string {
	const linked = (path ?? '')
		.split(delimiter)
		.filter(folder => isAbsolute(folder) && !shortLived.test(folder))
		.map(folder => join(folder, 'node'))
		.find(file => realPath(file) === realPath(running));
	return linked ?? running;
}

function realPath(file: string): string | undefined {
	return ifPossible(() => realpathSync(file));
}

/**
 * Runs Node and the hook, ends them after their time (s) even if Node never starts our code, and always exits with 0.
 *
 * - Only the hook that waits for an answer (`--wait`) may print.
 * - None of the user's settings for Node reach it: some make Node fail, hang, print or run slowly.
 * - A signal to the client's processes lets the hook finish, which has its own deadline.
 * - A command in the background gets its input by another descriptor, as its own would be empty.
 * - An agent's PATH may lack `sleep`: the hook would be ended at once.
 * - Node starts faster without threads of its own for compiling and collecting.
 */
function formatLauncher({node, hook}: Program): string {
	return `#!/bin/sh
# Reports an agent's events to Quarterdeck. Written by "quarterdeck hooks install".
node=${quote(node)}
hook=${quote(hook)}
answer_hook=${quote(join(dirname(hook), 'answer-hook.cjs'))}

case $* in
*' --wait '*) options=$* hook=$answer_hook seconds=$((\${options##*--wait } + 5)) ;;
*) seconds=4 && exec >/dev/null ;;
esac
exec 2>/dev/null 3<&0
[ -x "$node" ] && [ -f "$hook" ] || exit 0
cd /
ulimit -c 0
unset OPENSSL_CONF
case $(export -p) in *NODE_*)
	set -f
	for word in $(export -p); do
		name=\${word%%=*}
		case $name in *[!A-Za-z0-9_]*) ;; NODE_*) unset "$name" ;; esac
	done ;;
esac

trap '' HUP INT TERM
"$node" --v8-pool-size=0 "$hook" "$@" --parent-pid $PPID <&3 3<&- &
child=$!
(
	PATH=$PATH:/usr/bin:/bin
	trap 'kill -9 $!; exit' ALRM
	sleep $seconds &
	wait $!
	kill -9 $child
) >/dev/null 3<&- &
watchdog=$!
wait $child
kill -ALRM $watchdog
exit 0
`;
}

export function writeLauncher(program: Program): void {
	const {launcher} = program;
	try {
		makeFolder(dirname(launcher), 0o700);
		rmSync(`${launcher}.new`, {force: true});
		writeFileSync(`${launcher}.new`, formatLauncher(program), {mode: 0o700, flag: 'wx'});
		renameSync(`${launcher}.new`, launcher);
	} catch (cause) {
		const {code} = cause as NodeJS.ErrnoException;
		throw new SettingsFileError(
			`${launcher} can't be written (${code}): check its folder's permissions and the disk`,
			{cause},
		);
	}
}

/** Whether the launcher is the one that this program would write. */
export function isCurrent(program: Program): boolean {
	return (
		readQuietly(program.launcher) === formatLauncher(program) && allows(program.launcher, constants.X_OK)
	);
}

/** The files that a launcher needs and that are gone or can't be run, itself included; without them it does nothing. */
export function missingFiles(launcher: string): string[] {
	const words = [...readQuietly(launcher).matchAll(/^(node|hook)=('(?:[^']|'\\'')*')$/gm)];
	return [
		{path: launcher, access: constants.X_OK},
		...words.map(([, name, word = '']) => ({
			path: unquote(word),
			access: name === 'node' ? constants.X_OK : constants.R_OK,
		})),
	].flatMap(({path, access}) => (allows(path, access) ? [] : [path]));
}

function allows(path: string, access: number): boolean {
	try {
		accessSync(path, access);
		return true;
	} catch {
		return false;
	}
}

function readQuietly(file: string): string {
	return ifPossible(() => readFileSync(file, 'utf8')) ?? '';
}
