import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process';
import {hostTitle, type MachineHost} from '../../domain/computers/computer.ts';
import {errorCode} from '../local-error.ts';
import {childEnvironment} from '../processes/child-environment.ts';
import {createOutputTail} from '../processes/output-tail.ts';

/** A machine can't be reached, or not used. The message has ssh's own words, or those of the program there. */
export class MachineError extends Error {
	override readonly name = 'MachineError';
}

/** What a script says once it runs: from then on, its standard input and output are its own. */
export type Marker = 'machine' | 'bridge' | 'absent';

const marker = /(?:^|\n)quarterdeck-(machine|bridge|absent) 1\n/;
/** How much a login may print before the marker, bytes. */
const maxNoise = 128 * 1024;
/** How long a machine may take until the marker, ms: busy, it may have to start its service first. */
const answerTime = 40_000;

/** A program on a machine that has printed its marker. */
export type MachineProgram = {
	readonly marker: Marker;
	readonly input: ChildProcessWithoutNullStreams['stdin'];
	/** All after the marker. */
	readonly output: ChildProcessWithoutNullStreams['stdout'];
	/** Resolves with the exit code; undefined if a signal ended it. */
	readonly ended: Promise<number | undefined>;
	/** The end of what it wrote to standard error. */
	words(): string;
	kill(): void;
};

type MachineAddress = {
	readonly host: MachineHost;
	/** Socket of an ssh that the user has logged in with, if there is one. */
	readonly controlPath: string | undefined;
};

/** Options that keep ssh from asking, from forwarding, and from waiting for a dead host. */
const sshOptions = [
	'BatchMode=yes',
	'ConnectTimeout=10',
	'ServerAliveInterval=15',
	'ServerAliveCountMax=3',
	'ClearAllForwardings=yes',
	'ForwardAgent=no',
	'ForwardX11=no',
	'PermitLocalCommand=no',
	// The end of the link must not end other connections of the user.
	'ControlMaster=no',
];

function commandLine({host, controlPath}: MachineAddress): readonly string[] {
	if ('command' in host) return [...host.command, 'sh'];
	const options = controlPath === undefined ? sshOptions : [...sshOptions, `ControlPath=${controlPath}`];
	return ['ssh', '-T', ...options.flatMap(option => ['-o', option]), '--', host.ssh, 'sh'];
}

/**
 * Runs a script on a machine, through the standard input of a shell there, so that it works with any login shell. Throws
 * `MachineError` if the marker doesn't come. A master connection of the user that hangs is tried once, then left out.
 * Aborting `closing` ends it.
 */
export async function runOnMachine(
	address: MachineAddress,
	script: string,
	closing: AbortSignal,
): Promise<MachineProgram> {
	try {
		return await run(address, script, closing);
	} catch (error) {
		if (!(error instanceof NoAnswer) || 'command' in address.host) throw error;
		return run({...address, controlPath: 'none'}, script, closing);
	}
}

class NoAnswer extends MachineError {}

async function run(address: MachineAddress, script: string, closing: AbortSignal): Promise<MachineProgram> {
	closing.throwIfAborted();
	const [file = '', ...args] = commandLine(address);
	// In a session of its own, it has no terminal to ask at.
	const child = spawn(file, args, {env: childEnvironment(), detached: true, stdio: 'pipe'});
	const stderr = createOutputTail();
	child.stderr.on('data', chunk => stderr.add(chunk, 'stderr'));
	child.stdin.on('error', () => {});
	child.stdout.on('error', () => {});
	let isOver = false;
	const kill = () => {
		try {
			if (child.pid !== undefined && !isOver) process.kill(-child.pid, 'SIGKILL');
		} catch {
			// It has ended.
		}
	};
	const ended = new Promise<number | undefined>(resolve => {
		child.once('error', () => resolve(undefined));
		child.once('close', code => resolve(code ?? undefined));
	});
	closing.addEventListener('abort', kill, {once: true});
	void ended.then(() => {
		// Another process may have its id now.
		isOver = true;
		closing.removeEventListener('abort', kill);
	});
	// As one command: a shell that reads in blocks, such as busybox, has read all of it before it runs any.
	child.stdin.write(`{${script}}\n`);
	try {
		const found = await readMarker(child);
		return {marker: found, input: child.stdin, output: child.stdout, ended, words: stderr.text, kill};
	} catch (error) {
		kill();
		if (error instanceof MachineError) throw error;
		if (errorCode(error) === 'ENOENT') throw new MachineError(`${file} was not found on PATH`);
		const code = await ended;
		throw new MachineError(
			stderr.text() || `${hostTitle(address.host)}: ${file} ended (exit ${code ?? 'by a signal'})`,
		);
	}
}

/** Reads up to the marker, and leaves what follows to be read. */
function readMarker(child: ChildProcessWithoutNullStreams): Promise<Marker> {
	const {stdout} = child;
	const {promise, resolve, reject} = Promise.withResolvers<Marker>();
	let noise = Buffer.alloc(0);
	const onData = (chunk: Buffer) => {
		noise = Buffer.concat([noise, chunk]);
		// One character of a byte each, so that positions are those of bytes.
		const found = marker.exec(noise.toString('latin1'));
		if (found) {
			stdout.off('data', onData).pause();
			stdout.unshift(noise.subarray(found.index + found[0].length));
			resolve(found[1] as Marker);
		} else if (noise.length > maxNoise)
			reject(new MachineError("what answers there isn't Quarterdeck: its login prints without end"));
	};
	const timer = setTimeout(() => reject(new NoAnswer(`no answer within ${answerTime / 1000} s`)), answerTime);
	stdout.on('data', onData);
	child.once('error', reject);
	child.once('close', () => reject(new Error('ended')));
	return promise.finally(() => clearTimeout(timer));
}
