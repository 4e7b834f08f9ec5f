import {closeSync, constants, existsSync, fstatSync, openSync, readFileSync} from 'node:fs';
import {isKeyText} from '../domain/accounts/profile.ts';
import {ConfigError, ConfigSourceError} from './config.ts';
import type {Environment} from './folders.ts';
import {Secret} from './secret.ts';

/** Where the key comes from. The environment's is a `Secret` already. */
export type KeySource =
	| {readonly kind: 'environment'; readonly key: Secret}
	| {readonly kind: 'file'; readonly file: string}
	| {readonly kind: 'command'; readonly command: string | readonly string[]};

export const keyVariable = 'QUARTERDECK_API_KEY';

/** How long the command may take, ms. */
const commandLimit = 120_000;
/** How long to wait for remaining output after the command has exited, ms. */
const outputLimit = 1000;
const maxKeyLength = 16 * 1024;

/**
 * Loads the key from its source. Throws `ConfigError` or `ConfigSourceError` with what to do; the message never contains any
 * part of a key. When `signal` aborts, kills a running command and throws the signal's reason.
 */
export async function readKey(source: KeySource, env: Environment, signal?: AbortSignal): Promise<Secret> {
	if (source.kind === 'environment') {
		const text = source.key.reveal().trim();
		if (text.startsWith('~/') || (text.startsWith('/') && existsSync(text)))
			throw new ConfigError(
				`${keyVariable} is the path of a file: set it to the key itself, or unset it and use keyFile`,
			);
		return checkKey(text, keyVariable);
	}
	if (source.kind === 'file') return checkKey(readKeyFile(source.file), source.file);
	return checkKey(await runKeyCommand(source.command, env, signal), 'the output of keyCommand');
}

/** Validates a key (`isKeyText`) without blanks around it. Throws `ConfigError`. */
export function checkKey(text: string, from: string): Secret {
	const key = text.trim();
	if (key === '') throw new ConfigError(`${from} is empty: it must contain the API key`);
	if (!isKeyText(key)) {
		throw new ConfigError(`${from} is not a key: it must be one word of printable ASCII`);
	}
	return new Secret(key);
}

/**
 * Reads a key file; refuses one that others can read, as ssh does. Checks the opened descriptor, so that the
 * file can't be swapped in between.
 */
function readKeyFile(file: string): string {
	let descriptor: number;
	try {
		descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
	} catch (cause) {
		const {code} = cause as NodeJS.ErrnoException;
		const problem =
			code === 'ENOENT' ? `key file ${file} does not exist` : `key file ${file} can't be read (${code})`;
		throw new ConfigSourceError(`${problem}: check its path; its mode must be 0600`, {cause});
	}
	try {
		const stat = fstatSync(descriptor);
		if (!stat.isFile()) throw new ConfigSourceError(`key file ${file} is not a file`);
		if (stat.uid !== process.getuid?.() && stat.uid !== 0) {
			throw new ConfigSourceError(`key file ${file} belongs to another user: use a file of your own`);
		}
		if ((stat.mode & 0o077) !== 0) {
			throw new ConfigSourceError(`key file ${file} can be read by others: run chmod 600 on it`);
		}
		if (stat.size > maxKeyLength) throw new ConfigSourceError(`key file ${file} is too large for a key`);
		return readFileSync(descriptor, 'utf8');
	} finally {
		closeSync(descriptor);
	}
}

/** Runs the user's key command. It may prompt on the terminal; it doesn't get the environment's key. */
async function runKeyCommand(
	command: string | readonly string[],
	env: Environment,
	signal: AbortSignal | undefined,
): Promise<string> {
	// Loaded lazily: it takes as long as loading all the configuration, and few use a key command.
	const {spawn} = await import('node:child_process');
	const [file = '', ...args] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
	const {[keyVariable]: _, ...childEnv} = env;
	const {promise, resolve, reject} = Promise.withResolvers<string>();
	// The option `timeout` of node keeps the program running if the command can't be started.
	const limit = AbortSignal.timeout(commandLimit);
	const child = spawn(file, args, {
		env: childEnv,
		stdio: ['inherit', 'pipe', 'inherit'],
		signal: signal ? AbortSignal.any([signal, limit]) : limit,
		killSignal: 'SIGKILL',
	});
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (part: string) => {
		output += part;
		if (output.length <= maxKeyLength) return;
		child.kill('SIGKILL');
		reject(new ConfigSourceError('keyCommand printed more than a key: run it by hand to see what'));
	});
	child.on('error', cause => {
		const {code} = cause as NodeJS.ErrnoException;
		const why = code === 'ENOENT' ? 'no such program' : code;
		const problem = limit.aborted
			? `keyCommand printed no key within ${commandLimit / 1000} s: run it by hand to see why`
			: `keyCommand can't be run: ${file}: ${why}`;
		reject(signal?.aborted ? signal.reason : new ConfigSourceError(problem));
	});
	// Its background processes may keep its output open.
	child.on('exit', () => setTimeout(() => child.stdout.destroy(), outputLimit).unref());
	child.on('close', (code, by) => {
		if (code === 0) resolve(output);
		else reject(new ConfigSourceError(`keyCommand exited with ${by ?? code}: run it by hand to see why`));
	});
	return promise;
}
