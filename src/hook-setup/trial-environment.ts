import {mkdirSync, renameSync, rmSync, unlinkSync} from 'node:fs';
import {createServer, type Server} from 'node:net';
import {join} from 'node:path';
import {decodeEnvelope} from '../../hooks/envelope.ts';
import type {RuntimeEnvironment} from '../../hooks/runtime-folder.ts';
import {endpoint, formatSocketName} from '../../hooks/socket-name.ts';
import type {Acknowledgement, Envelope} from '../../hooks/wire.ts';
import {readSpool} from './listeners.ts';

/** The receiver: a program that answers, one that hangs, the socket of an ended one, or none. */
export type Receiver = 'answers' | 'hangs' | 'gone' | 'nobody';

/** Isolated folders for trial runs, and the program that listens in them. */
export type TrialEnvironment = Awaited<ReturnType<typeof createTrialEnvironment>>;

/**
 * Creates the environment in `folder`, which must not exist and must have a short path, as it holds a socket.
 */
export async function createTrialEnvironment(folder: string, receiver: Receiver) {
	const [runtime, state] = [join(folder, 'r'), join(folder, 's')];
	for (const path of [folder, runtime, state, join(runtime, 'quarterdeck')]) mkdirSync(path, {mode: 0o700});
	const env = {XDG_RUNTIME_DIR: runtime, XDG_STATE_HOME: state, TMPDIR: folder};
	const environment: RuntimeEnvironment = {env, uid: process.getuid?.() ?? -1, platform: process.platform};
	const received: Envelope[] = [];
	const server =
		receiver === 'nobody'
			? undefined
			: await listen(join(runtime, 'quarterdeck'), receiver, envelope => received.push(envelope));
	return {
		/** Variables that point a hook to these folders. */
		env,
		/** Returns the events since the last call. */
		takeEvents(): {received: Envelope[]; spooled: Envelope[]} {
			const spooled = readSpool(environment);
			for (const {file} of spooled) unlinkSync(file);
			return {received: received.splice(0), spooled: spooled.map(({envelope}) => envelope)};
		},
		async close(): Promise<void> {
			await new Promise<void>(resolve => (server ? server.close(() => resolve()) : resolve()));
			rmSync(folder, {recursive: true, force: true});
		},
	};
}

async function listen(
	folder: string,
	receiver: Receiver,
	onEnvelope: (envelope: Envelope) => void,
): Promise<Server> {
	const name = formatSocketName({startedAt: Date.now(), pid: process.pid, tag: 'ffff'});
	const server = createServer(socket => {
		let text = '';
		socket.on('error', () => {});
		socket.setEncoding('utf8').on('data', (part: string) => {
			text += part;
			const envelope = receiver === 'answers' && text.endsWith('\n') && decodeEnvelope(text);
			if (!envelope) return;
			onEnvelope(envelope);
			const answer: Acknowledgement = {ok: envelope.id};
			socket.end(`${JSON.stringify(answer)}\n`);
		});
	});
	const bound = receiver === 'gone' ? `${name}-` : name;
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(endpoint(folder, bound, process.platform), resolve);
	});
	if (receiver === 'gone') {
		// Closing a server removes its socket by the bound name: renamed, it stays and refuses connections.
		renameSync(join(folder, bound), join(folder, name));
		await new Promise(resolve => server.close(resolve));
	}
	return server;
}
