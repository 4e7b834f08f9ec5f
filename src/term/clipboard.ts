import {accessSync, constants} from 'node:fs';
import {delimiter, isAbsolute, join} from 'node:path';
import {operatingSystemCommand} from './capabilities.ts';

type Program = {readonly name: string; readonly args: readonly string[]};

/**
 * Programs that reach the user's clipboard: those of this machine that have a display, and
 * tmux, which has its own buffer and passes it on to its terminal.
 */
function programs(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly Program[] {
	// With its default settings, tmux ignores clipboard sequences from a program in a pane.
	const tmux = env.TMUX ? [{name: 'tmux', args: ['load-buffer', '-w', '-']}] : [];
	// Over ssh, this machine's clipboard isn't the user's: only the terminal reaches theirs.
	if (env.SSH_CONNECTION || env.SSH_TTY) return tmux;
	if (platform === 'darwin') return [{name: 'pbcopy', args: []}, ...tmux];
	return [
		...(env.WAYLAND_DISPLAY ? [{name: 'wl-copy', args: []}] : []),
		...(env.DISPLAY
			? [
					{name: 'xclip', args: ['-selection', 'clipboard']},
					{name: 'xsel', args: ['--clipboard', '--input']},
				]
			: []),
		...tmux,
	];
}

/** Time limit of a clipboard program, ms: one that can't reach its display hangs. */
const copyTimeout = 1500;

/**
 * Copies text with a program of this machine. Returns its name, or `undefined` if there is none or it failed.
 * Runs it without a shell, and without the key in its environment.
 */
export async function copyLocally(
	text: string,
	env: NodeJS.ProcessEnv,
	platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
	for (const program of programs(env, platform)) {
		const path = findProgram(program.name, env.PATH ?? '');
		if (path !== undefined && (await run(path, program.args, text, env))) return program.name;
	}
	return undefined;
}

/** The program that `copyLocally` would try first; it may still fail. */
export function localClipboard(
	env: NodeJS.ProcessEnv,
	platform: NodeJS.Platform = process.platform,
): string | undefined {
	return programs(env, platform).find(({name}) => findProgram(name, env.PATH ?? '') !== undefined)?.name;
}

function findProgram(name: string, path: string): string | undefined {
	return path
		.split(delimiter)
		.filter(isAbsolute)
		.map(folder => join(folder, name))
		.find(isExecutable);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

async function run(
	path: string,
	args: readonly string[],
	text: string,
	env: NodeJS.ProcessEnv,
): Promise<boolean> {
	const {spawn} = await import('node:child_process');
	const {QUARTERDECK_API_KEY: _, ...childEnv} = env;
	return new Promise(resolve => {
		const child = spawn(path, args, {
			env: childEnv,
			stdio: ['pipe', 'ignore', 'ignore'],
			timeout: copyTimeout,
			shell: false,
		});
		child.once('error', () => resolve(false));
		// It may leave a background process that serves the text: wait only for its own exit.
		child.once('exit', code => resolve(code === 0));
		child.stdin.on('error', () => undefined);
		child.stdin.end(text);
	});
}

/** Maximum bytes of text: terminals drop longer sequences whole (xterm: 100,000 bytes of base64). */
export const maxClipboardLength = 74_000;

/**
 * Sequence that copies text to the terminal's clipboard (OSC 52), also over ssh. `undefined` if the text exceeds
 * `maxClipboardLength` bytes: half a copy would be worse than none.
 */
export function clipboardSequence(text: string, env: NodeJS.ProcessEnv): string | undefined {
	const bytes = Buffer.from(text);
	if (bytes.length > maxClipboardLength) return undefined;
	return operatingSystemCommand(`52;c;${bytes.toString('base64')}`, env);
}
