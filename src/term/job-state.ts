import {openSync, readSync} from 'node:fs';

/**
 * Which side of the shell's job control we are on. `undefined` when there is none (no controlling terminal) or the
 * system doesn't say.
 */
export type JobState = 'foreground' | 'background' | undefined;

const buffer = Buffer.alloc(1024);
/** Kept open: reading again costs 7 µs, opening each time 30. `null` where the system has no such file. */
let statFile: number | null | undefined;

/** Read from the kernel: cheap enough for every write to the terminal. Only Linux tells; elsewhere `undefined`. */
export function readJobState(): JobState {
	if (statFile === null) return undefined;
	try {
		statFile ??= openSync('/proc/self/stat', 'r');
		const stat = buffer.toString('latin1', 0, readSync(statFile, buffer, 0, buffer.length, 0));
		// proc(5): after the name, which may hold anything: state, parent, group, session, terminal, its foreground group.
		const [, , group, , terminal, foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		if (terminal === '0') return undefined;
		return group === foreground ? 'foreground' : 'background';
	} catch {
		statFile = null;
		return undefined;
	}
}

/** As `readJobState`, but where the kernel has no file for it (macOS, BSD) it runs `ps`: for rare moments only. */
export function askJobState(): JobState {
	if (statFile !== null && process.platform === 'linux') return readJobState();
	if (process.platform === 'win32') return undefined;
	try {
		const {execFileSync} = process.getBuiltinModule('node:child_process');
		const line = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], {
			encoding: 'latin1',
			stdio: ['ignore', 'pipe', 'ignore'],
			timeout: 1000,
		});
		const [group = 0, foreground = 0] = line.trim().split(/\s+/).map(Number);
		if (foreground <= 0) return undefined;
		return group === foreground ? 'foreground' : 'background';
	} catch {
		return undefined;
	}
}
