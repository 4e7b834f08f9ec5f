import {afterEach, describe, expect, test} from 'vitest';
import {RejectedError, ServerError} from '../../src/api/errors.ts';
import {newestOfRole, openRoleMessages} from '../../src/commands/messages/role-messages.ts';
import {messageRoles} from '../../src/domain/messages/message.ts';
import {type FollowerBench, followerBench} from '../support/follower-bench.ts';
import {orders} from '../support/role-reading.ts';
import {transcriptOf} from '../support/transcript-of.ts';

let bench: FollowerBench;
afterEach(() => bench.end());

const {signal} = new AbortController();

/** Adds messages of all roles. */
function add(count: number): void {
	const turn = ['user', 'tool', 'assistant', 'tool', 'tool', 'assistant'] as const;
	for (let index = 0; index < count; index++) bench.model.add('s', 1, turn[index % turn.length]);
}

/** A session whose newest messages no listing by role includes, although they are weeks old. */
async function addLagging(count: number, lagging: number): Promise<void> {
	add(count);
	await bench.clock.advance(3_600_000);
	add(lagging);
	bench.model.roleLag = 1_800_000;
}

async function pass(seconds: number): Promise<void> {
	for (let second = 0; second < seconds; second++) await bench.clock.advance(1000);
}

const shown = () =>
	(bench.stream('s')?.entries ?? []).flatMap(entry => (entry.kind === 'message' ? [entry] : []));
const isUnknown = ({role}: {role?: string}) => role === undefined;
const isWrong = ({id, role}: {id: string; role?: string}) =>
	role !== undefined && role !== bench.model.roleOf('s', id);

const transcript = () => transcriptOf(bench);

/** Every page of the session, read by the screen. */
async function readBack(): Promise<void> {
	const follower = bench.open('s');
	follower.setFocused(true);
	await pass(30);
	for (let page = 0; page < 12; page++) {
		const loading = follower.loadOlder();
		await pass(5);
		await loading;
	}
}

describe.each(orders)('%s first', pages => {
	test.each([
		[20, false],
		[250, false],
		[600, false],
		[20, true],
		[600, true],
	])(
		'%i messages that no list by role includes have no role on the screen until one does (role=assistant fails: %s)',
		async (lagging, isFailing) => {
			bench = followerBench({pages});
			await addLagging(700, lagging);
			let isDown = isFailing;
			bench.model.intercept = ({query}) => {
				if (isDown && query?.role === 'assistant')
					throw new ServerError('The service failed.', {hint: 'Wait.', status: 503});
			};
			await readBack();
			expect(shown().filter(isWrong)).toEqual([]);
			expect(shown().filter(isUnknown).length).toBeGreaterThanOrEqual(lagging);
			isDown = false;
			await bench.stop();
			bench = bench.restart();
			await readBack();
			expect(shown().filter(isWrong)).toEqual([]);
			expect(shown().filter(isUnknown)).toHaveLength(lagging);
			bench.model.roleLag = 0;
			await pass(150);
			await bench.stop();
			bench = bench.restart();
			await readBack();
			expect(shown()).toHaveLength(700 + lagging);
			expect(shown().filter(isWrong)).toEqual([]);
			expect(shown().filter(isUnknown)).toEqual([]);
			const {items} = await transcript().newest(2_000, signal);
			expect(items.filter(item => isWrong(item) || isUnknown(item))).toEqual([]);
		},
	);

	test.each([0, 1, 2, 3, 4])('no role is wrong if the lag ends before list request %i', async count => {
		for (const isLong of [false, true]) {
			const session = async (read: () => Promise<void>) => {
				bench = followerBench({pages});
				await addLagging(isLong ? 260 : 30, 17);
				let requests = 0;
				bench.model.intercept = ({query}) => {
					if (query?.role !== undefined && requests++ === count) bench.model.roleLag = 0;
				};
				await read();
				await bench.end();
			};
			await session(async () => {
				for (let read = 0; read < 2; read++)
					expect((await transcript().newest(1_000, signal)).items.filter(isWrong)).toEqual([]);
				const {items} = await transcript().newest(1_000, signal);
				expect(items.filter(item => isWrong(item) || isUnknown(item))).toEqual([]);
			});
			await session(async () => {
				await readBack();
				expect(shown().filter(isWrong)).toEqual([]);
				await pass(150);
				expect(shown().filter(item => isWrong(item) || isUnknown(item))).toEqual([]);
			});
			for (const role of messageRoles)
				await session(async () => {
					const {list} = bench.model.service.messages;
					const roleMessages = openRoleMessages({list, sessionId: 's', role});
					const {items, unknown} = await newestOfRole(roleMessages, transcript(), 1_000, signal);
					expect(items.filter(isWrong)).toEqual([]);
					const all = bench.model.ids('s').filter(id => bench.model.roleOf('s', id) === role);
					expect(all.length - items.length).toBeLessThanOrEqual(unknown);
				});
		}
	});

	test('the newest of two messages of one time may be lacking alone', async () => {
		for (const role of messageRoles) {
			bench = followerBench({pages});
			add(40);
			const [before = '', newest = ''] = [bench.model.ids('s').at(-1), ...bench.model.add('s', 1, role)];
			bench.model.shape = (page, query) => ({
				...page,
				items: page.items
					.filter(({id}) => query.role === undefined || id !== newest)
					.map(item =>
						item.id === newest || item.id === before ? {...item, createdAt: 1_799_000_000_000} : item,
					),
			});
			const {list} = bench.model.service.messages;
			const roleMessages = openRoleMessages({list, sessionId: 's', role});
			const {unknown} = await newestOfRole(roleMessages, transcript(), 1_000, signal);
			expect(unknown).toBe(1);
			const {items} = await transcript().newest(1_000, signal);
			expect(items.filter(isWrong)).toEqual([]);
			expect(items.filter(isUnknown).map(({id}) => id)).toEqual([newest]);
			await bench.end();
		}
	});

	test('a list that is refused halfway leaves no role wrong', async () => {
		for (const refused of messageRoles) {
			bench = followerBench({pages});
			await addLagging(900, 1);
			let refusals = 0;
			bench.model.intercept = ({query}) => {
				if (query?.role === refused && query.cursor !== undefined && refusals++ === 0)
					throw new RejectedError('No.', {hint: 'Change it.', status: 400});
			};
			const {list} = bench.model.service.messages;
			const roleMessages = openRoleMessages({list, sessionId: 's', role: 'assistant'});
			await newestOfRole(roleMessages, transcript(), 1_000, signal).catch(error => {
				expect(error).toBeInstanceOf(RejectedError);
			});
			bench.model.roleLag = 0;
			for (let read = 0; read < 2; read++) {
				const {items} = await transcript().newest(1_000, signal);
				expect(items.filter(isWrong)).toEqual([]);
			}
			const {items} = await transcript().newest(1_000, signal);
			expect(items.filter(isUnknown)).toEqual([]);
			await bench.end();
		}
	});
});
