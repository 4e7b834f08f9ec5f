import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync, realpathSync, statSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {createGzip} from 'node:zlib';
import {hostTitle, type MachineHost} from '../../domain/computers/computer.ts';
import {remoteUserLength} from '../../domain/limits.ts';
import {createLink, type LinkEvents} from './link.ts';
import {MachineError, type MachineProgram, runOnMachine} from './machine-program.ts';
import {bridgeScript, checkScript, copyScript, type ProgramNames, removeScript} from './scripts.ts';

/** Scripts of the build that a machine doesn't need: it has no screen, and reaches nothing by a proxy. */
const screenFiles: ReadonlySet<string> = new Set(['screen.js', 'code-grammars.js', 'undici.js']);
/** A copy over a slow line takes minutes. After these times a script hangs, ms. */
const copyTime = 30 * 60_000;
const scriptTime = 30_000;
/** Room for the service's data, bytes. */
const spareRoom = 50_000_000;
/** Longest name of a machine that is kept, and longest text of its facts, UTF-16 units. */
const maxHostname = 255;
const maxFacts = 64 * 1024;

/** What a machine says about itself. `free` is the room in its home folder, KiB. */
type Facts = {
	readonly system: string;
	readonly user: string;
	readonly hostname: string;
	readonly hasNode: boolean;
	readonly hasProgram: boolean;
	readonly hasTar: boolean;
	readonly free: number;
};

/** What is to be copied beside the program. `bytes` are all those on the disk there; 0 if nothing is copied. */
type CopyPlan = {readonly takesNode: boolean; readonly bytes: number};

/** A machine that Quarterdeck runs on from here. */
export type RemoteMachine = ReturnType<typeof createRemoteMachine>;

type MachineOptions = LinkEvents & {
	/** Where the user's own log-in leaves a socket, if they log in. */
	readonly controlPath: string | undefined;
	/** Aborting it ends all of the machine here. */
	readonly closing: AbortSignal;
};

export function createRemoteMachine(host: MachineHost, {controlPath, closing, ...events}: MachineOptions) {
	build ??= readBuild();
	const {folder, files, bytes: programBytes, names} = build;
	let facts: Facts | undefined;

	const run = (script: (names: ProgramNames) => string) =>
		runOnMachine(
			{host, controlPath: controlPath && existsSync(controlPath) ? controlPath : undefined},
			script(names),
			closing,
		);

	/** Runs a script that ends by itself, in time. Throws `MachineError` if it fails. */
	const runToEnd = async <T>(
		script: (names: ProgramNames) => string,
		time: number,
		use: (program: MachineProgram) => Promise<T>,
	): Promise<T> => {
		const program = await run(script);
		let isLate = false;
		const deadline = setTimeout(() => {
			isLate = true;
			program.kill();
		}, time);
		try {
			const result = await use(program);
			const code = await program.ended;
			if (code === 0) return result;
			throw new MachineError(
				isLate ? `no end within ${time / 1000} s` : program.words() || 'the connection was lost',
			);
		} finally {
			clearTimeout(deadline);
			program.kill();
		}
	};

	const check = async (): Promise<Facts> => {
		const text = await runToEnd(checkScript, scriptTime, ({input, output}) => {
			input.end();
			return textOf(output);
		});
		facts = toFacts(text);
		return facts;
	};

	const planCopy = ({system, hasNode, hasProgram, hasTar, free}: Facts): CopyPlan => {
		const title = hostTitle(host);
		if (!hasNode && system !== ownSystem())
			throw new MachineError(
				`${title} (${system}) has no Node 22.19 or later, and that of this machine (${ownSystem()}) doesn't run there: install Node there`,
			);
		const isNeeded = !hasProgram || !hasNode;
		if (isNeeded && !hasTar) throw new MachineError(`${title} has no tar and gzip: install them there`);
		const bytes = isNeeded ? programBytes + (hasNode ? 0 : statSync(process.execPath).size) : 0;
		if (isNeeded && free * 1024 < bytes + spareRoom)
			throw new MachineError(
				`the home folder on ${title} has ${megabytes(free * 1024)} left, and needs ${megabytes(bytes + spareRoom)}`,
			);
		return {takesNode: !hasNode, bytes};
	};

	const copy = async ({takesNode}: CopyPlan): Promise<void> => {
		facts = undefined;
		await runToEnd(copyScript, copyTime, async ({input, output}) => {
			output.resume();
			const node = takesNode ? ['-C', dirname(process.execPath), basename(process.execPath)] : [];
			const tar = spawn('tar', ['-c', '-f', '-', '-C', folder, ...files, ...node], {
				// macOS would add files of its own.
				env: {...process.env, COPYFILE_DISABLE: '1'},
				stdio: ['ignore', 'pipe', 'ignore'],
			});
			try {
				await once(tar, 'spawn');
				await pipeline(tar.stdout, createGzip({level: 1}), input);
			} catch (error) {
				// What the machine says about it tells more.
				input.end();
				if ((error as NodeJS.ErrnoException).syscall?.startsWith('spawn'))
					throw new MachineError('tar was not found on this machine');
			}
		});
	};

	const link = createLink(
		async () => {
			const program = await run(bridgeScript);
			if (program.marker === 'bridge') return program;
			program.kill();
			await copy(planCopy(await check()));
			const second = await run(bridgeScript);
			if (second.marker === 'bridge') return second;
			second.kill();
			throw new MachineError(`the copied program isn't there any more`);
		},
		events,
		closing,
	);

	return {
		link,
		/** Connects once, and reads what is there. Throws `MachineError`. */
		check,
		/** The title of the step that copies; throws `MachineError` if the machine can't be used. */
		async copyTitle(): Promise<string> {
			const {takesNode, bytes} = planCopy(facts ?? (await check()));
			const what = takesNode ? `Quarterdeck and Node ${process.versions.node}` : 'Quarterdeck';
			return `copy ${what} (${bytes === 0 ? 'is there' : megabytes(bytes)})`;
		},
		async copy(): Promise<void> {
			const plan = planCopy(facts ?? (await check()));
			if (plan.bytes > 0) await copy(plan);
		},
		/** Ends the service there, and removes all that was copied. Throws `MachineError`. */
		async remove(): Promise<void> {
			await runToEnd(removeScript, scriptTime, async ({input, output}) => {
				input.end();
				output.resume();
			});
		},
	};
}

function toFacts(text: string): Facts {
	const values = new Map(text.split('\n').map(line => line.split(/=(.*)/s, 2) as [string, string]));
	const fact = (name: string) => values.get(name) ?? '';
	return {
		system: fact('system'),
		user: fact('user').slice(0, remoteUserLength.max),
		hostname: fact('hostname').slice(0, maxHostname),
		hasNode: fact('hasNode') === 'yes',
		hasProgram: fact('hasProgram') === 'yes',
		hasTar: fact('hasTar') === 'yes',
		free: Number(fact('free')),
	};
}

async function textOf(output: NodeJS.ReadableStream): Promise<string> {
	let text = '';
	for await (const chunk of output) {
		text += chunk;
		if (text.length > maxFacts) throw new MachineError("what answers there isn't Quarterdeck");
	}
	return text;
}

const systems: Readonly<Record<string, string>> = {linux: 'Linux', darwin: 'Darwin'};
const processors: Readonly<Record<string, string>> = {x64: 'x86_64', arm64: 'aarch64'};

/** This machine as `uname -sm` says it. */
function ownSystem(): string {
	const {platform, arch} = process;
	const processor = platform === 'darwin' && arch === 'arm64' ? 'arm64' : (processors[arch] ?? arch);
	return `${systems[platform] ?? platform} ${processor}`;
}

function megabytes(bytes: number): string {
	return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}

let build: ReturnType<typeof readBuild> | undefined;

/** The files of the program that runs, and the names that tell this build from others. */
function readBuild() {
	const folder = dirname(realpathSync(process.argv[1] ?? ''));
	const files = readdirSync(folder).filter(
		name => /\.c?js$|^THIRD-PARTY/.test(name) && !screenFiles.has(name),
	);
	const hash = createHash('sha256');
	let bytes = 0;
	for (const name of files) {
		const content = readFileSync(join(folder, name));
		bytes += content.length;
		hash.update(content);
	}
	const names: ProgramNames = {
		program: `${__VERSION__}-${hash.digest('hex').slice(0, 12)}`,
		node: `node-v${process.versions.node}`,
		nodeFile: basename(process.execPath),
	};
	return {folder, files, bytes, names};
}
