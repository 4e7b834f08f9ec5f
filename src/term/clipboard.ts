import {delimiter, isAbsolute} from 'node:path';
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
	for (const program of programs(env, platform)) if (await run(program, text, env)) return program.name;
	return undefined;
}

/** The programs that `copyLocally` tries, in order. */
export function clipboardPrograms(
	env: NodeJS.ProcessEnv,
	platform: NodeJS.Platform = process.platform,
): readonly string[] {
	return programs(env, platform).map(({name}) => name);
}

async function run({name, args}: Program, text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
	const {spawn} = await import('node:child_process');
	const {QUARTERDECK_API_KEY: _, ...others} = env;
	// Not one of the folder that we are in, which may be an agent's.
	const path = (env.PATH ?? '').split(delimiter).filter(isAbsolute).join(delimiter);
	return new Promise(resolve => {
		const child = spawn(name, args, {
			env: {...others, PATH: path || '/'},
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
