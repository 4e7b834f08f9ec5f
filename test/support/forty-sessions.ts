import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {openDatabase} from '../../src/db/open-database.ts';
import {accountFileFor} from './account-files.ts';
import type {FleetService} from './fleet-service.ts';
import {emptyHome} from './program.ts';

const minute = 60_000;

const computers = ['linux-build-1', 'linux-build-2', 'mac-release', 'gpu-lab', 'staging-box', 'docs-runner'];

/** A user's request and the agent's final answer. */
const tasks: readonly (readonly [asked: string, answered: string])[] = [
	[
		'Fix the flaky login test on CI',
		'Fixed: the test waited for a timer that the mock clock never fired. All 214 tests pass.',
	],
	[
		'Add pagination to the orders endpoint',
		'Done. GET /orders takes `limit` and `cursor`, and the docs are updated.',
	],
	[
		'Migrate the invoices table to bigints',
		'The migration ran on a copy of production in 41 s; nothing was lost.',
	],
	[
		'Why is the nightly build slow?',
		'Two thirds of it is the Docker layer that installs browsers; it is never cached.',
	],
	['Upgrade React to 19', 'Upgraded. Three components used string refs; they use `useRef` now.'],
	['Write release notes for 2.4', 'The notes are in CHANGELOG.md, grouped by area.'],
	['Remove the dead feature flags', 'Removed 17 flags that were on everywhere since March.'],
	[
		'Cover the parser with property tests',
		'Added 9 properties; they found one bug with nested quotes, which is fixed.',
	],
];

/** A service with forty sessions on six computers, all at rest and read by nobody. */
export function addFortySessions(service: FleetService): readonly string[] {
	for (const [index, name] of computers.entries())
		service.computers.set(`c${index}`, {
			id: `c${index}`,
			name,
			status: 'active',
			providerType: 'e2b',
			// The fourth was made a moment ago, the others days ago.
			createdAt: Date.now() - (name === 'gpu-lab' ? 4 : (index + 2) * 1440) * minute,
			provisioningSteps: [
				{name: 'clone', status: 'completed'},
				{name: 'install-deps', status: 'completed'},
			],
		});
	const ids = Array.from(
		{length: 40},
		(_, index) => `5e55${String(index).padStart(4, '0')}-aaaa-4bbb-8ccc-dddddddddddd`,
	);
	for (const [index, id] of ids.entries()) {
		const [asked = '', answered = ''] = tasks[index % tasks.length] ?? [];
		service.addSession(id, {computerId: `c${index % computers.length}`});
		// The first were active within the last ten minutes, the last for days not.
		const ago = (index < 8 ? 5 + index / 2 : 90 + 45 * index) * minute;
		service.say(
			id,
			'user',
			`${asked}${index < tasks.length ? '' : ` (part ${1 + Math.floor(index / tasks.length)})`}`,
			{ago},
		);
		service.say(
			id,
			'assistant',
			[{id: 'call', type: 'tool_use', name: 'Bash', input: {command: 'npm test'}}],
			{
				ago: ago - minute,
			},
		);
		service.say(id, 'tool', [{id: 'result', type: 'tool_result', tool_use_id: 'call', content: 'ok'}], {
			ago: ago - 2 * minute,
		});
		service.say(id, 'assistant', answered, {ago: ago - 3 * minute});
		// Somebody has read it, and thanked.
		service.say(id, 'user', 'Thanks!', {ago: ago - 4 * minute});
		service.say(id, 'assistant', 'You are welcome.', {ago: ago - 4 * minute - 1});
	}
	return ids;
}

/** A home whose only account knows these computers and sessions only by their ids. */
export async function homeThatKnows(service: FleetService): Promise<NodeJS.ProcessEnv> {
	const env: NodeJS.ProcessEnv = {
		...emptyHome(),
		QUARTERDECK_BASE_URL: service.url,
		QUARTERDECK_API_KEY: 'k-forty',
	};
	const config = join(String(env.HOME), '.config/quarterdeck');
	mkdirSync(config, {recursive: true});
	// The first reads of forty sessions are some 150 requests.
	writeFileSync(join(config, 'config.json'), JSON.stringify({pollBudget: 50}));
	const state = join(String(env.HOME), '.local/state/quarterdeck');
	const database = openDatabase({file: await accountFileFor(state, {url: service.url, key: 'k-forty'})});
	for (const id of service.computers.keys())
		database.computers.put({id, origin: 'added', addedAt: Date.now()});
	for (const [id, {computerId}] of service.sessions)
		database.sessions.put({
			id,
			origin: 'added',
			addedAt: Date.now(),
			...(typeof computerId === 'string' && {computerId}),
		});
	database.close();
	return env;
}
