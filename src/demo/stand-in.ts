import {randomUUID} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import {z} from 'zod';
import {agentRoot} from '../domain/sessions/agent-request.ts';
import type {LocalContext, StandIn} from '../local/context.ts';
import {get, post, type Route} from '../local/http/router.ts';
import {createOutputWriter} from '../local/processes/output-writer.ts';
import {planSteps} from '../local/provisioning/provisioning.ts';
import type {StepRun} from '../local/provisioning/step-work.ts';
import {showComputer} from '../local/resources/computers.ts';
import {serviceStatus} from '../local/resources/service.ts';
import {type Beat, bash} from './beat.ts';
import {sampleControls, sampleOrganization, sampleReports} from './organization-sample.ts';
import {sampleAgent} from './sample-agent.ts';
import {installCommand, installOutput, type SeededSession} from './seed.ts';

const agents = ['claude', 'codex', 'gemini'] as const;

/** Does the work of the demo's service: agents, steps and the organization come from the sample. */
export function createStandIn(home: string, seeded: readonly SeededSession[]): StandIn {
	const samples = new Map(seeded.map(({id, sample}) => [id, sample]));
	let hasAsked = false;
	const beatsOf = (sessionId: string, text: string): readonly Beat[] => {
		const [asked, ...beats] = samples.get(sessionId)?.now ?? [];
		if (asked === text) return beats;
		if (hasAsked) return [demoWords];
		hasAsked = true;
		return firstReply;
	};
	return {
		findAgent: name => sampleAgent(agents.find(one => one === name) ?? 'claude', beatsOf),
		doStep,
		routes: context => routes(context, home),
	};
}

const demoWords =
	'This is the demo: no agent runs, and your message stays in its memory. In a session of yours, the agent’s answer would appear here while it is written.';

/** What an agent does with the first message of the user; to later ones, none asks: Needs you can get empty. */
const firstReply: readonly Beat[] = [
	{
		ask: {
			kind: 'permission',
			tool: 'Bash',
			text: 'npm test',
			options: [
				{word: 'once', label: 'allow once', allows: true},
				{word: 'no', label: 'deny', allows: false},
			],
		},
		allowed: [bash('npm test', ' Test Files  41 passed (41)\n      Tests  214 passed (214)', 3), demoWords],
		denied: [demoWords],
	},
];

/** How long the steps of a computer take, s. */
const seconds: Readonly<Record<string, number>> = {clone: 25, 'check-host': 2, 'create-workspace': 2};
const lineTime = 9000;

async function doStep({context, step}: StepRun): Promise<void> {
	const signal = context.closing;
	if (step.kind !== 'install') return delay((seconds[step.kind] ?? 3) * 1000, undefined, {signal});
	const output = createOutputWriter(context, {
		sessionId: step.installSessionId ?? '',
		role: 'tool',
		isOutput: true,
		head: `${installCommand}\n`,
	});
	try {
		for (const line of installOutput) {
			await delay(lineTime, undefined, {signal});
			output.write(Buffer.from(`${line}\n`), 'stdout');
		}
	} finally {
		await output.end(undefined, false);
	}
}

const newComputer = z.object({
	name: z.string(),
	remoteUser: z.string().optional(),
	repos: z.array(z.string()).optional(),
	autoInstallDeps: z.boolean().optional(),
});

function routes(context: LocalContext, home: string): readonly Route[] {
	const {storage, provisioner} = context;
	const startedAt = Date.now();
	const {users, rows, userRows} = sampleOrganization(startedAt);
	const controls = sampleControls(startedAt);
	const reports = sampleReports(startedAt);
	const family = (name: string, all: readonly {readonly date?: string}[]) =>
		get(`/api/v1/analytics/${name}`, ({query}) => {
			const [from = '', to = ''] = [query.get('startDate') ?? '', query.get('endDate') ?? ''];
			const data = all.filter(({date = ''}) => date >= from && date <= to);
			return {
				data,
				meta: {org_id: 'harbor', start_date: from, end_date: to, has_more: false, next_cursor: ''},
			};
		});
	return [
		// Another machine would be reached for real.
		post('/api/v0/computers', 201, ({body}) => {
			const {name, remoteUser = 'dev', repos = [], autoInstallDeps = false} = newComputer.parse(body);
			const id = randomUUID();
			storage.transaction(() =>
				storage.computers.add({id, name, remoteUser, workspace: home}, planSteps(repos, autoInstallDeps)),
			);
			provisioner.start(id);
			return showComputer(context, id);
		}),
		// They end with the screen, which needn't ask.
		get(`${agentRoot}/service`, () => ({...serviceStatus(context), agentsAtWork: 0})),
		get(`${agentRoot}/agents`, () => ({agents: agents.map(name => ({name, isInstalled: true}))})),
		get('/api/v0/organization/users', () => ({users, pagination: {hasMore: false, nextCursor: null}})),
		get('/api/v0/organization/enterprise-controls/history', () => ({
			changes: controls,
			pagination: {hasMore: false, nextCursor: ''},
		})),
		get('/api/organization/maturity-level-reports', ({query}) => {
			const after = reports.findIndex(({reportId}) => reportId === query.get('startAfter')) + 1;
			return {reports: reports.slice(after, after + Number(query.get('limit') ?? reports.length))};
		}),
		...Object.entries(rows).map(([name, all]) => family(name, all)),
		family('users', userRows),
	];
}
