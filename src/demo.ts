import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openMachine} from './account-files.ts';
import {fixedAccount, openAccountDatabase} from './accounts.ts';
import {configFile, stateFolder} from './config/folders.ts';
import {prepareStateFolder} from './config/ownership.ts';
import type {SettingsInput} from './config/settings.ts';
import {makeRepositories} from './demo/repositories.ts';
import {type SeededSession, sampleEvents, sampleSessions, seed} from './demo/seed.ts';
import {createStandIn} from './demo/stand-in.ts';
import {localAccount} from './domain/accounts/account.ts';
import {type HookEvent, reduceSignal, type Signal} from './domain/sessions/signal.ts';
import {localFolder} from './embedded-service.ts';
import {makePrivateFolder} from './local/private-folder.ts';
import {startLocalService} from './local/start-local-service.ts';
import {openStorage} from './local/storage/open-storage.ts';

type Demo = {
	/** What the screen reads its configuration from. */
	readonly input: SettingsInput;
	close(): Promise<void>;
};

/** The profile of the demo; its name is in the header. */
const profile = 'demo';
/** Requests a second: all sessions are read at once. */
const pollBudget = 50;

/**
 * Starts a service with the sample's computers, sessions and organization in this process, over a home of its own that
 * `close` removes. Everything the screen reads and writes is there but exports, so that nothing of the user's is touched:
 * no configuration, session, hook or client.
 */
export async function startDemo({flags}: SettingsInput): Promise<Demo> {
	const home = realpathSync(mkdtempSync(join(tmpdir(), 'quarterdeck-demo-')));
	const remove = () => rmSync(home, {recursive: true, force: true, maxRetries: 3});
	process.once('exit', remove);
	const own = {
		HOME: home,
		TMPDIR: home,
		XDG_STATE_HOME: join(home, '.state'),
		XDG_RUNTIME_DIR: join(home, '.run'),
	};
	// Clients, terminals and services of the user.
	const others = /^(?:XDG_|QUARTERDECK_|CLAUDE|CODEX|TMUX)/;
	for (const name of Object.keys(process.env)) if (others.test(name)) delete process.env[name];
	Object.assign(process.env, own);
	mkdirSync(own.XDG_RUNTIME_DIR, {mode: 0o700});
	const input = {flags: {...flags, local: undefined, profile}, env: {...process.env}, home};
	const config = configFile(input.env, home);
	mkdirSync(join(config, '..'), {recursive: true});
	writeFileSync(
		config,
		JSON.stringify({profile, profiles: {[profile]: {local: true, agent: 'claude', pollBudget}}}),
	);

	const state = stateFolder(input.env, home);
	const folder = localFolder({stateFolder: state});
	makePrivateFolder(folder);
	const storage = openStorage(folder);
	const seeded = seed(storage, home, Date.now());
	storage.close();
	recordRead(state, seeded, sampleEvents(home, Date.now()));
	await makeRepositories(home, sampleSessions);
	process.chdir(join(home, sampleSessions[0]?.repo ?? ''));
	const service = await startLocalService({
		folder,
		agent: 'claude',
		standIn: createStandIn(home, seeded),
	});
	return {
		input,
		async close() {
			await service.close();
			remove();
		},
	};
}

/** Records the sessions in the account's database, with what the user has read, and what hooks have reported. */
function recordRead(state: string, seeded: readonly SeededSession[], events: readonly HookEvent[]): void {
	prepareStateFolder(state);
	const machine = openMachine(state);
	const signals = new Map<string, Signal>();
	for (const event of events) {
		const id = event.data.session_id ?? '';
		const {signal} = reduceSignal(signals.get(id), event);
		if (signal) signals.set(id, signal);
		machine.events.add(event);
	}
	for (const signal of signals.values()) machine.events.putSignal(signal);
	const account = fixedAccount(machine, localAccount, 'local');
	const database = openAccountDatabase(machine, account, {stateFolder: state});
	for (const {id, sample, seenId, computerId} of seeded) {
		const {title, ago, isPinned: pinned} = sample;
		database.sessions.put({
			id,
			origin: 'created',
			addedAt: Date.now() - ago * 60_000,
			session: {sessionId: id, title, computerId},
			seenId,
			pinned,
		});
	}
	database.close();
	machine.close();
}
