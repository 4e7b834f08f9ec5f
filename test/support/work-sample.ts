import type {Message} from '../../src/domain/messages/message.ts';
import type {Stores} from '../../src/state/stores.ts';
import type {StreamEntry} from '../../src/state/stream.ts';
import {appParts} from './app-parts.ts';
import {fakeClock} from './fake-clock.ts';
import {fleet, knownComputer, knownSession, signal} from './fleet.ts';

const second = 1000;
const minute = 60 * second;

/** Fills the stores with a working day: sessions in every state, computers on their way up, an open stream. */
export function fillWithWork(stores: Stores, now: number): void {
	const session = (id: string, title: string, value: string, ago: number) =>
		knownSession(id, {
			origin: 'created',
			addedAt: now - 90 * minute - ago,
			computerId: 'build-box',
			session: {sessionId: id, title, computerId: 'build-box', sessionSettings: {model: 'model-x'}},
			status: {value, source: 'updated', at: now - ago},
			readAt: now,
		});
	stores.fleet.setState(
		fleet(
			[
				session('s-api', 'api-migration', 'running', 11 * second),
				session('s-login', 'fix-login', 'idle', 4 * minute),
				session('s-docs', 'docs-sync', 'running', 2 * minute),
				session('s-cjk', '数据库迁移 🚀 第二阶段', 'pending', 20 * second),
				session('s-refactor', 'refactor', 'idle', 12 * minute),
				session('s-flaky', 'find the flaky test in the payment suite', 'hibernating', 3 * 60 * minute),
				session('s-old', 'cleanup', 'idle', 26 * 60 * minute),
			],
			[
				{...knownComputer('gpu-1', provisioning(now), now - 1), fetchedAt: now},
				knownComputer(
					'build-box',
					{name: 'build-box', hostname: 'build-box.internal', remoteUser: 'dev'},
					now - 2,
				),
				knownComputer('old', failed(now), now - 3),
			],
			[
				signal('s-login', 'needs-permission', {
					since: now - 40 * second,
					lastEventAt: now - 40 * second,
					message: 'Claude needs your permission to use Bash',
				}),
				signal('s-review', 'needs-input', {
					since: now - 2 * minute,
					lastEventAt: now - 2 * minute,
					cwd: '/home/me/shop',
				}),
				signal('s-refactor', 'done', {since: now - 12 * minute, lastEventAt: now - 12 * minute}),
				signal('s-old', 'ended', {
					since: now - 26 * 60 * minute,
					lastEventAt: now - 26 * 60 * minute,
					reason: 'logout',
				}),
			],
		),
	);
	stores.connection.setState({state: 'polling', okAt: now - 800, latency: 84, hooks: 'listening'});
	stores.streams.setState({
		open: new Map([
			[
				's-api',
				{
					sessionId: 's-api',
					entries: conversation(now),
					hasOlder: false,
					phase: {name: 'ready'},
					readAt: now - 800,
				},
			],
		]),
	});
	stores.outbox.setState({
		bySession: new Map([
			[
				's-api',
				[
					{
						id: 'o1',
						sessionId: 's-api',
						text: 'and run the slow tests too',
						images: [],
						files: [],
						state: 'sending',
						createdAt: now - second,
						tries: 1,
					},
				],
			],
		]),
	});
}

function provisioning(now: number) {
	return {
		name: 'gpu-1',
		status: 'provisioning',
		provisioningSteps: [
			{id: '1', name: 'check host', status: 'completed', startedAt: now - 95_000, completedAt: now - 93_000},
			{
				id: '2',
				name: 'create workspace',
				status: 'completed',
				startedAt: now - 93_000,
				completedAt: now - 80_400,
			},
			{
				id: '3',
				name: 'clone repositories',
				status: 'completed',
				startedAt: now - 80_400,
				completedAt: now - 38_000,
			},
			{
				id: '4',
				name: 'install dependencies',
				status: 'running',
				startedAt: now - 38_000,
				installSessionId: 's-install',
			},
			{id: '5', name: 'ready', status: 'pending'},
		],
	};
}

function failed(now: number) {
	return {
		name: 'old-laptop',
		status: 'active',
		provisioningSteps: [
			{id: '1', name: 'check host', status: 'completed', startedAt: now - 95_000, completedAt: now - 93_000},
			{
				id: '2',
				name: 'install dependencies',
				status: 'failed',
				startedAt: now - 90_000,
				completedAt: now - 60_000,
				installSessionId: 's-install',
				error:
					'npm error code ENOSPC\nnpm error syscall write\nnpm error nospc There appears to be insufficient space on your system to finish.\nnpm error nospc Clear up some disk space and try again.',
			},
		],
	};
}

function conversation(now: number): StreamEntry[] {
	const entry = (
		id: string,
		role: 'user' | 'assistant' | 'tool',
		ago: number,
		content: Message['content'],
	): StreamEntry => ({
		kind: 'message',
		id,
		version: 1,
		role,
		message: {id, createdAt: now - ago, ...(content && {content})},
	});
	return [
		entry('m1', 'user', 9 * minute, [{text: 'bump the schema to v7 and migrate the staging data'}]),
		entry('m2', 'assistant', 8 * minute, [
			{
				text: "I'll look at the present schema first.\n\nThe plan:\n\n1. Add `tenant_id` to **orders** and **invoices**\n2. Backfill in batches of 5,000\n3. Make the column `NOT NULL`",
			},
		]),
		entry('m3', 'tool', 8 * minute, [
			{type: 'tool_use', name: 'Execute', input: {command: 'pnpm run migrate --env staging'}},
		]),
		entry('m4', 'tool', 7 * minute, [
			{
				type: 'tool_result',
				tool_use_id: 'x',
				content: 'applied 0007_tenant_id.sql\napplied 0008_backfill.sql\n12,480 rows in 2.1 s',
			},
		]),
		entry('m5', 'assistant', 6 * minute, [
			{
				text: 'Both migrations are applied on staging.\n\n```sql\nALTER TABLE orders ADD COLUMN tenant_id uuid;\nUPDATE orders SET tenant_id = accounts.tenant_id\n  FROM accounts WHERE accounts.id = orders.account_id;\n```\n\nNext I will run the tests against the migrated data. 测试将在迁移后的数据上运行。',
			},
		]),
		entry('m6', 'tool', 5 * minute, [{type: 'tool_use', name: 'Execute', input: {command: 'pnpm test'}}]),
	];
}

/** What the screen runs on, filled with it. */
export function workParts(options?: Parameters<typeof appParts>[1]) {
	const clock = fakeClock();
	const parts = appParts(clock, options);
	fillWithWork(parts.stores, clock.now());
	return {clock, parts};
}
