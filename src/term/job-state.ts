import {readFileSync} from 'node:fs';

/** Our side of the shell's job control; `undefined` without a terminal or if the system doesn't say. */
export type JobState = 'foreground' | 'background' | undefined;

/** Reads the state from the kernel, or runs `ps` where the kernel has no such file (macOS, BSD): call it rarely. */
export function jobState(): JobState {
	const [group = 0, foreground = 0] = readGroups();
	if (foreground <= 0) return undefined;
	return group === foreground ? 'foreground' : 'background';
}

/** Our process group, and the one that has the terminal: 0 or -1 without a terminal. */
function readGroups(): readonly number[] {
	if (process.platform === 'win32') return [];
	try {
		if (process.platform !== 'linux') return askPs();
		const stat = readFileSync('/proc/self/stat', 'latin1');
		// proc(5): after the name, which may contain anything.
		const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return [Number(group), Number(foreground)];
	} catch {
		return [];
	}
}

function askPs(): readonly number[] {
	const {execFileSync} = process.getBuiltinModule('node:child_process');
	const line = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], {
		encoding: 'latin1',
		stdio: ['ignore', 'pipe', 'ignore'],
		timeout: 1000,
	});
	return line.trim().split(/\s+/).map(Number);
}
