import {afterAll, beforeAll, expect, onTestFinished, test, vi} from 'vitest';
import {openMachine} from '../../../../src/account-files.ts';
import {createHookEvents} from '../../../../src/local/machines/hook-events.ts';
import {buildHook} from '../../../support/built-hook.ts';
import {eventually} from '../../../support/eventually.ts';
import {temporaryHookFolders} from '../../../support/temporary-hook-folders.ts';
import {permissionPayload, startHook} from '../../../support/waiting-hook.ts';

let built: Awaited<ReturnType<typeof buildHook>>;
beforeAll(async () => {
	built = await buildHook({isPatient: true, name: 'answer-hook'});
});
afterAll(() => built.remove());

test('requests of hooks wait for someone elsewhere only while that one follows', async () => {
	const {env} = temporaryHookFolders();
	for (const name of ['XDG_RUNTIME_DIR', 'XDG_STATE_HOME', 'HOME', 'TMPDIR']) vi.stubEnv(name, env[name]);
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	const stateFolder = `${env.XDG_STATE_HOME}/quarterdeck`;
	const machine = openMachine(stateFolder);
	const closing = new AbortController();
	const hooks = createHookEvents({openMachine: async () => machine, stateFolder}, closing.signal);
	onTestFinished(async () => {
		vi.useRealTimers();
		closing.abort();
		await hooks.close();
		machine.close();
		vi.unstubAllEnvs();
	});
	const follow = (position: number) => hooks.after(position, AbortSignal.abort());
	const ask = async () => {
		const command = [process.execPath, built.file, '--client', 'claude', '--wait', '60'];
		const hook = startHook([...command, '--parent-pid', `${process.pid}`], env, permissionPayload());
		await eventually(() => expect(hooks.requests()).toHaveLength(1));
		return {...hook, id: `${hooks.requests()[0]?.id}`};
	};

	await follow(0);
	const left = await ask();
	vi.advanceTimersByTime(10_000);
	expect(await left.end).toMatchObject({code: 0, output: ''});
	expect(hooks.requests()).toEqual([]);

	const {position} = await follow(0);
	const answered = await ask();
	expect(await hooks.answer(answered.id, {option: 'once'})).toBe(true);
	expect((await answered.end).output).toContain('"behavior":"allow"');
	const {events} = await follow(position);
	expect(events.map(({event}) => event)).toEqual(['PermissionRequest', 'PermissionAnswered']);
});
