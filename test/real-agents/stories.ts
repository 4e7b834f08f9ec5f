import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {resolve} from 'node:path';
import {readProcStat} from '../../hooks/proc-stat.ts';
import type {Service} from '../../src/api/service.ts';
import type {AgentRequest} from '../../src/domain/sessions/agent-request.ts';
import type {SessionDraft} from '../../src/domain/sessions/session.ts';

/** How many findings were missed so far. */
export const findings = {missed: 0};

/** A PNG of one pixel. */
const dot =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Polls until it is neither undefined nor false. */
export async function until<T>(read: () => Promise<T | undefined | false>, limit = 240_000): Promise<T> {
	const end = Date.now() + limit;
	for (;;) {
		const found = await read();
		if (found) return found;
		if (Date.now() > end) throw new Error(`it did not happen in time: ${read}`);
		await new Promise(resolve => setTimeout(resolve, 50));
	}
}

/** Prints a finding. */
export function check(agent: string, what: string, isGood: boolean, found = ''): void {
	if (!isGood) findings.missed++;
	process.stdout.write(
		`${isGood ? 'ok    ' : 'MISSED'} ${agent}: ${what}${found && ` (${found.replaceAll('\n', ' ')})`}\n`,
	);
}

/** The session calls of a story, for one client. */
export function storyTools(agent: string, service: Service, computerId: string) {
	const create = async (options: Partial<SessionDraft> = {}) =>
		(await service.sessions.create({computerId, cwd: process.cwd(), agent, ...options})).sessionId;
	const story = async (id: string) => {
		const {items} = await service.messages.list(id, {limit: 100});
		return items
			.toReversed()
			.flatMap(({content = []}) => content.map(({text, content: result}) => `${text ?? result ?? ''}`))
			.join('\n');
	};
	const isIdle = async (id: string) => (await service.sessions.update(id, {})).status === 'idle';
	const send = (id: string, text: string) => service.messages.add(id, {text});
	const settle = (id: string) => until(() => isIdle(id));
	const request = (id: string) => until(async () => (await service.agentRequests.list(id))[0]);
	/** Settles a turn that should ask for nothing; denies what it asks for. */
	const settleUnasked = async (id: string, what: string) => {
		const asked = await until(async () => {
			const [request] = await service.agentRequests.list(id);
			return request ?? ((await isIdle(id)) && 'nothing');
		});
		check(agent, what, asked === 'nothing', asked === 'nothing' ? '' : `${asked.tool} ${asked.text}`);
		if (asked !== 'nothing') await service.agentRequests.answer(id, asked.id, {option: 'no'});
		await settle(id);
	};
	const answer = async (id: string, option: string, words?: string) => {
		const asked = await request(id);
		await service.agentRequests.answer(id, asked.id, {option, ...(words && {words})});
		await settle(id);
	};
	return {agent, service, create, story, isIdle, send, settle, request, settleUnasked, answer};
}
type StoryTools = ReturnType<typeof storyTools>;

/** The files of the work folder and the settings of clients, by path. */
function settingsNow(): ReadonlyMap<string, string> {
	const home = process.env.HOME ?? '';
	const settings = [
		'.claude/settings.json',
		'.codex/config.toml',
		'.config/opencode/opencode.json',
		'.gemini/settings.json',
	];
	const own = readdirSync('.', {recursive: true, encoding: 'utf8'}).map(name => resolve(name));
	const files = [...own, ...settings.map(name => resolve(home, name))].filter(
		path => statSync(path, {throwIfNoEntry: false})?.isFile() && !path.endsWith('made-by-tool'),
	);
	return new Map(files.map(path => [path, readFileSync(path, 'utf8')]));
}

/** "Always" changes what the request named, and nothing else: no other tool runs unasked after it. */
async function runAlwaysStory(
	{agent, service, create, send, settle, settleUnasked, request, answer}: StoryTools,
	text: string,
) {
	const id = await create();
	const before = settingsNow();
	await send(id, text);
	const asked = await request(id);
	const option = asked.options?.find(({word}) => word === 'always');
	if (!option) {
		check(agent, 'offers no "always"', true);
		await answer(id, 'no');
		return;
	}
	await answer(id, 'always');
	rmSync(resolve('made-by-tool'), {force: true});
	const changed = [...settingsNow()].filter(([path, content]) => before.get(path) !== content);
	const rules = changed.map(([path, content]) => `${path}: ${content.replaceAll(/\s+/g, ' ')}`).join('; ');
	const named = [option.label, ...(option.changes ?? [])].join('; ');
	const isNamed = changed.every(
		([path, content]) =>
			named.includes(path.split('/').at(-1) ?? '') &&
			(content.match(/"\w+\([^"]*\)"/g) ?? []).every(rule => named.includes(rule.slice(1, -1))) &&
			!/defaultMode|additionalDirectories/.test(content),
	);
	check(agent, 'always changes only what the request named', isNamed, `${named} | ${rules}`);
	await send(id, text);
	await settleUnasked(id, 'a command that is always allowed is run unasked');
	rmSync(resolve('made-by-tool'), {force: true});
	check(agent, 'the mode stays', (await service.sessions.update(id, {})).mode === 'ask');
	await send(id, 'WRITE');
	const next = await request(id);
	check(agent, 'a write is still asked for', next.kind === 'permission', next.tool);
	await answer(id, 'no');
	await settle(id);
}

/** Everything that is asked of one client. */
export async function runStories(tools: StoryTools): Promise<void> {
	const {agent, service, create, story, isIdle, send, settle, request, settleUnasked, answer} = tools;
	const made = resolve('made-by-tool');
	const text = agent === 'codex' ? 'TOOL with escalation' : 'TOOL';

	const id = await create();
	await send(id, text);
	const asked = await request(id);
	check(agent, 'asks for the command', asked.text?.includes('touch made-by-tool') === true, asked.text);
	await answer(id, 'no', 'not now');
	check(agent, 'a denied command is not run', !existsSync(made));
	const told = await story(id);
	check(agent, 'and it is told why', /^not now$|You said: not now/m.test(told), told);
	await send(id, text);
	await answer(id, 'once');
	check(agent, 'an allowed command is run', existsSync(made));
	check(agent, 'its result reaches the model', (await story(id)).includes('RESULT-SEEN'));
	rmSync(made, {force: true});
	const {sessionSettings} = await service.sessions.update(id, {});
	const {inputTokens = 0, outputTokens = 0} = sessionSettings?.tokenUsage ?? {};
	const isCounted = inputTokens > 0 && inputTokens % 1234 === 0 && outputTokens % 42 === 0;
	check(agent, 'tokens are counted', isCounted, `${inputTokens} in, ${outputTokens} out`);

	await send(id, 'SLOW');
	const sentAt = Date.now();
	await until(async () => (await story(id)).includes('word1 '));
	check(agent, 'text appears within 2 s', Date.now() - sentAt < 2000, `${Date.now() - sentAt} ms`);
	await until(async () => (await story(id)).includes('word3 '));
	const interruptedAt = Date.now();
	await service.agentRequests.interrupt(id);
	await settle(id);
	check(agent, 'idle within 1 s of an interrupt', Date.now() - interruptedAt < 1000);
	check(agent, 'what was written stays', (await story(id)).includes('word3 '));
	await send(id, 'after the interrupt');
	await settle(id);
	const afterInterrupt = await story(id);
	const isAnswered = afterInterrupt.includes('You said: after the interrupt');
	check(agent, 'the next message is answered', isAnswered, isAnswered ? '' : afterInterrupt);

	await runAlwaysStory(tools, text);
	await runFileStories(tools);
	// Codex offers its patch tool to the models that it knows, and a shell to others.
	if (agent === 'codex') await runFileStories(tools, 'gpt-5.5');
	await runQuestionStories(tools);
	if (asking.includes(agent)) await runServerStories(tools);
	// Opencode has no such mode.
	if (agent !== 'opencode') {
		const editor = await create({mode: 'accept-edits'});
		await send(editor, 'WRITE');
		await settleUnasked(editor, 'with edits accepted a file is written unasked');
		check(agent, 'and it is there', existsSync(resolve('new.txt')));
		rmSync(resolve('new.txt'), {force: true});
	}
	if (agent === 'claude') await runClaudeStories(tools);

	const queued = await create();
	await send(queued, 'SLOW');
	await until(async () => (await story(queued)).includes('word1 '));
	await send(queued, 'the first that waits');
	await send(queued, 'the second that waits');
	await service.agentRequests.interrupt(queued);
	await settle(queued);
	check(
		agent,
		'messages sent during a turn are answered in order',
		/You said: the first that waits[\s\S]*You said: the second that waits/.test(await story(queued)),
	);

	const remembering = await create();
	await send(remembering, 'the word is banana');
	await settle(remembering);
	await send(remembering, 'RECALL');
	await settle(remembering);
	const recalled = await story(remembering);
	check(agent, 'the second message remembers the first', recalled.includes('recalled: true'), recalled);

	const attached = await create();
	await service.messages.add(attached, {text: 'IMAGE', images: [{data: dot}]});
	await settle(attached);
	const withImage = await story(attached);
	check(agent, 'an image arrives as an image', /images: [1-9]/.test(withImage), withImage);
	const data = Buffer.from('words of the note').toString('base64');
	await service.messages.add(attached, {text: 'FILE', files: [{name: 'note.txt', data}]});
	await settle(attached);
	const withFile = await story(attached);
	check(agent, 'a file can be read', /files: in the prompt| is readable/.test(withFile), withFile);

	await send(attached, 'READ it');
	await settleUnasked(attached, 'reads an attached file without asking');
	const withRead = await story(attached);
	const isReadBack = withRead.includes('read: true');
	check(agent, 'reads an attached file by its own tool', isReadBack, isReadBack ? '' : withRead);

	for (const refusal of ['FAIL401', 'FAIL529']) {
		const failed = await create();
		await send(failed, refusal);
		await until(() => isIdle(failed));
		await send(failed, 'after the failure');
		await settle(failed);
		const afterFailure = await story(failed);
		const isAlive = afterFailure.includes('You said: after the failure');
		check(agent, `${refusal} in the first turn is no end`, isAlive, afterFailure);
	}

	for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
		const killed = await create();
		await send(killed, 'SLOW');
		await until(async () => (await story(killed)).includes('word2 '));
		for (const pid of childrenOf(process.pid)) process.kill(-pid, signal);
		await settle(killed);
		await send(killed, 'after the kill');
		await settle(killed);
		const afterKill = await story(killed);
		const isAlive = afterKill.includes('You said: after the kill');
		check(agent, `${signal} in the first turn is no end`, isAlive, afterKill);
	}
}

/** A file is written and edited: its diff is shown first, and the file changes only if that is allowed. */
async function runFileStories(
	{agent, create, send, request, answer}: StoryTools,
	model?: string,
): Promise<void> {
	const file = resolve('new.txt');
	const found = () => (existsSync(file) ? readFileSync(file, 'utf8') : 'nothing');
	const by = model === undefined ? '' : ` (${model})`;
	const id = await create(model === undefined ? {} : {sessionSettings: {model}});
	for (const {word, diff, before, after} of [
		{
			word: 'WRITE',
			diff: /^\+\+\+ .*new\.txt\n@@ .*\n\+hello\n\+world\n/m,
			before: 'nothing',
			after: 'hello\nworld\n',
		},
		{
			word: 'EDIT',
			diff: /^\+\+\+ .*new\.txt\n@@ .*\n hello\n-world\n\+moon\n/m,
			before: 'hello\nworld\n',
			after: 'hello\nmoon\n',
		},
	])
		for (const option of ['no', 'once'] as const) {
			await send(id, word);
			const {text = ''} = await request(id);
			const isFirst = /^--- /.test(text) && diff.test(text) && found() === before;
			check(
				agent,
				`${word} is asked for with its diff first${by}`,
				isFirst,
				isFirst ? '' : `${text} ${found()}`,
			);
			await answer(id, option);
			const what = option === 'no' ? `a denied ${word} changes nothing` : `an allowed ${word} is in the file`;
			check(agent, what + by, found() === (option === 'no' ? before : after), found());
		}
	rmSync(file);
}

/** The clients whose question tool reaches us over their protocol. */
const asking = ['claude', 'codex'];

async function runQuestionStories({
	agent,
	create,
	send,
	story,
	settle,
	request,
	answer,
}: StoryTools): Promise<void> {
	const id = await create();
	await send(id, 'ASK');
	if (!asking.includes(agent)) {
		await settle(id);
		const said = await story(id);
		check(
			agent,
			'has no question tool over its protocol',
			/answered: .*(not found|unavailable)/.test(said),
			said,
		);
		return;
	}
	const {kind, questions} = await request(id);
	const choices = choicesOf(questions);
	check(agent, 'asks a question with its choices', kind === 'question' && `${choices}` === 'Red,Blue');
	await answer(id, 'once', 'Blue');
	const answered = (await story(id)).split('answered: ').at(-1) ?? '';
	check(
		agent,
		'the answer to a question reaches the model',
		/Blue/.test(answered) && !/Red/.test(answered),
		answered,
	);
	await send(id, 'ASK');
	await answer(id, 'no', 'neither of them');
	const refused = (await story(id)).split('answered: ').at(-1) ?? '';
	check(agent, 'so does why it is not answered', /neither of them/.test(refused), refused);
}

/** A tool of an MCP server asks for a permission, and the server itself for a choice. */
async function runServerStories({
	agent,
	service,
	create,
	send,
	story,
	isIdle,
	request,
	settleUnasked,
	answer,
}: StoryTools): Promise<void> {
	const id = await create();
	const newest = async () => (await story(id)).split('answered: ').at(-1) ?? '';
	// Codex starts the server beside its first turn, and calls no tool of it until it is up.
	await until(async () => {
		await send(id, 'ORDER');
		const asked = await until(
			async () => (await service.agentRequests.list(id))[0] ?? ((await isIdle(id)) && 'nothing'),
		);
		if (asked === 'nothing') return false;
		await answer(id, 'no');
		return true;
	});
	for (const option of ['no', 'once', 'always'] as const) {
		await send(id, 'ORDER');
		const {kind, tool, text} = await request(id);
		const isWhole =
			kind === 'permission' && /shop.*order/.test(tool ?? '') && /^item: tea$/m.test(text ?? '');
		check(agent, `asks for a tool of an MCP server (${option})`, isWhole, `${tool} ${text}`);
		await answer(id, option);
		const said = await newest();
		check(agent, 'and calls it only if that is allowed', /ORDERED/.test(said) === (option !== 'no'), said);
	}
	await send(id, 'ORDER');
	await settleUnasked(id, 'an MCP tool that is always allowed is called unasked');
	await send(id, 'CHOOSE');
	const first = await request(id);
	// Claude Code asks for the tool, too.
	if (first.kind === 'permission') await service.agentRequests.answer(id, first.id, {option: 'always'});
	const {kind, questions} = await until(async () => {
		const [asked] = await service.agentRequests.list(id);
		return asked?.kind === 'question' && asked;
	});
	const choices = choicesOf(questions);
	check(agent, 'an MCP server asks for a choice', kind === 'question' && `${choices}` === 'Red,Blue');
	const refused = await answer(id, 'once', 'Green').then(
		() => 'not refused',
		error => `${error}`,
	);
	check(agent, 'and takes no other', /must be one of Red, Blue/.test(refused), refused);
	await answer(id, 'once', 'Blue');
	const chosen = await newest();
	check(agent, 'the server gets the choice', /accept.*Blue/.test(chosen), chosen);
	await send(id, 'CHOOSE');
	await answer(id, 'no');
	const declined = await newest();
	check(agent, 'the server is told that nothing was chosen', /decline/.test(declined), declined);
}

async function runClaudeStories({
	agent,
	service,
	create,
	story,
	send,
	settle,
	request,
	answer,
}: StoryTools): Promise<void> {
	const planner = await create({mode: 'plan'});
	await send(planner, 'PLAN');
	const plan = await request(planner);
	check(agent, 'a plan is shown as text', plan.text?.startsWith('# The plan\n') === true);
	await answer(planner, 'no', 'a smaller one');
	check(agent, 'what is wrong with a plan reaches it', (await story(planner)).includes('a smaller one'));
	await send(planner, 'PLAN');
	await answer(planner, 'once');
	const {mode} = await service.sessions.update(planner, {});
	check(agent, 'an approved plan ends the plan mode', mode === 'ask', mode);

	const several = await create();
	await send(several, 'TWO');
	const both = await until(async () => {
		const open = await service.agentRequests.list(several);
		return open.length === 2 && open;
	});
	const [first, second] = both;
	await service.agentRequests.answer(several, second?.id ?? '', {option: 'no', words: 'not the second'});
	await service.agentRequests.answer(several, first?.id ?? '', {option: 'no', words: 'not the first'});
	await settle(several);
	const answers = (await service.messages.list(several, {role: 'tool'})).items
		.flatMap(({content = []}) => content.map(({tool_use_id: id, content: words}) => `${id} ${words}`))
		.sort();
	const isOwn = /_0 not the first$/.test(answers[0] ?? '') && /_1 not the second$/.test(answers[1] ?? '');
	check(agent, 'of two requests at once, each gets its own answer', isOwn, `${answers}`);
}

/** The clients: this process starts nothing else that lasts. */
export function childrenOf(parent: number): number[] {
	const out = execFileSync('ps', ['-o', 'pid=', '--ppid', `${parent}`], {encoding: 'utf8'});
	return out
		.trim()
		.split(/\s+/)
		.map(Number)
		.filter(pid => {
			const stat = readProcStat(pid);
			return stat?.group === pid && !stat.isDead;
		});
}

function choicesOf(questions: AgentRequest['questions'] = []): readonly string[] {
	return questions.flatMap(({choices}) => choices.map(({label}) => label));
}
