import {expect, test} from 'vitest';
import type {Service} from '../../../../src/api/service.ts';
import {
	type Elicitation,
	elicitationReply,
	elicitationRequest,
	formFields,
} from '../../../../src/local/agents/questions.ts';
import {sharedTestServices} from '../../../support/local-service.ts';
import {replayAgents} from '../../../support/replayed-agents.ts';
import {optionsNamed} from '../../../support/request-options.ts';
import {createSession, readAll, textOf, whenAsked, whenIdle} from '../../../support/sessions.ts';

const shared = sharedTestServices();

/** What the tool of the last turn returned, as the session shows it. */
async function lastResult(service: Service, sessionId: string): Promise<unknown> {
	const messages = await readAll(service, sessionId);
	return messages.flatMap(({content = []}) => content).findLast(({type}) => type === 'tool_result')?.content;
}

test.each([
	{
		agent: 'claude',
		tool: 'mcp__shop__order',
		text: 'item: tea',
		refusal: 'The user does not want this. Ask what to do instead.',
	},
	{
		agent: 'codex',
		tool: 'shop: order',
		text: 'item: tea\n\nAllow the shop MCP server to run tool "order"?',
		refusal: 'user rejected MCP tool call',
	},
])(
	'$agent: the user decides on the tools of an MCP server, and answers its questions',
	async ({agent, tool, text, refusal}) => {
		replayAgents({[agent]: [`${agent}-mcp`]});
		const {service} = await shared({agent});
		const sessionId = await createSession(service);
		for (const [option, result] of [
			['no', refusal],
			['once', 'the shop says ORDERED'],
			['always', 'the shop says ORDERED'],
		] as const) {
			await service.messages.add(sessionId, {text: 'ORDER'});
			const request = await whenAsked(service, sessionId);
			expect(request).toMatchObject({
				kind: 'permission',
				tool,
				text,
				options: optionsNamed('once', 'always', 'no'),
			});
			await service.agentRequests.answer(sessionId, request.id, {option});
			await whenIdle(service, sessionId);
			expect(await lastResult(service, sessionId)).toBe(result);
		}
		await service.messages.add(sessionId, {text: 'ORDER'});
		await whenIdle(service, sessionId);

		await service.messages.add(sessionId, {text: 'CHOOSE'});
		const first = await whenAsked(service, sessionId);
		if (first.kind === 'permission')
			await service.agentRequests.answer(sessionId, first.id, {option: 'always'});
		const question = await whenAsked(service, sessionId);
		expect(question).toMatchObject({
			kind: 'question',
			text: 'shop: Which color?\n\nColor\n- Red\n- Blue',
			options: optionsNamed('once', 'no'),
			questions: [{choices: [{label: 'Red'}, {label: 'Blue'}], takesOnlyChoices: true}],
		});
		const answer = (words: string) =>
			service.agentRequests.answer(sessionId, question.id, {option: 'once', words});
		await expect(answer('Green')).rejects.toThrow(/must be one of Red, Blue/);
		await answer('Blue');
		await whenIdle(service, sessionId);
		expect(await lastResult(service, sessionId)).toBe(
			'the shop says {"action":"accept","content":{"color":"Blue"}}',
		);

		await service.messages.add(sessionId, {text: 'CHOOSE'});
		const second = await whenAsked(service, sessionId);
		await service.agentRequests.answer(sessionId, second.id, {option: 'no'});
		await whenIdle(service, sessionId);
		expect(await lastResult(service, sessionId)).toBe('the shop says {"action":"decline"}');
		expect(textOf((await readAll(service, sessionId)).at(-1))).toMatch(/^answered: .*decline/);
	},
);

const server = 'shop';

/** A form with these fields, as a server sends it. */
function form(properties: object): Elicitation {
	return {server, message: 'Please', fields: formFields.parse({type: 'object', properties})};
}

test.each([
	{
		name: 'titled choices',
		asked: form({size: {type: 'string', oneOf: [{const: 's', title: 'Small'}]}}),
		choices: ['s'],
		words: 's',
		text: '- s: Small',
		content: {size: 's'},
	},
	{
		name: 'choices with names beside them',
		asked: form({size: {type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large']}}),
		choices: ['s', 'l'],
		words: 'l',
		text: '- s: Small\n- l: Large',
		content: {size: 'l'},
	},
	{
		name: 'yes or no',
		asked: form({isSure: {type: 'boolean'}}),
		choices: ['Yes', 'No'],
		words: 'No',
		text: '- Yes\n- No',
		content: {isSure: false},
	},
	{
		name: 'any words',
		asked: form({name: {type: 'string', title: 'Name', description: 'as on the card'}}),
		choices: [],
		words: 'Ann Lee',
		text: 'Name: as on the card',
		content: {name: 'Ann Lee'},
	},
])('a form with one field is a question: $name', ({asked, choices, words, text, content}) => {
	const request = elicitationRequest('id', asked);
	const [question, ...others] = request.questions ?? [];
	expect(request).toMatchObject({kind: 'question', options: optionsNamed('once', 'no')});
	expect([question?.choices.map(({label}) => label), others]).toEqual([choices, []]);
	expect(request.text?.endsWith(`\n${text}`)).toBe(true);
	expect(question?.takesOnlyChoices === true).toBe(choices.length > 0);
	expect(elicitationReply(asked, {option: 'once', words})).toEqual({action: 'accept', content});
});

test("a form that words can't fill in is shown, and can only be denied", () => {
	const asked = form({
		name: {type: 'string', title: 'Name', description: 'as on the card'},
		age: {type: 'integer'},
	});
	expect(elicitationRequest('id', asked)).toMatchObject({
		kind: 'permission',
		tool: server,
		text: "Please\n\n- Name: as on the card\n- age\n\nThis form can't be filled in here: it can only be denied.",
		options: optionsNamed('no'),
	});
	expect(elicitationReply(asked, {option: 'no'})).toEqual({action: 'decline'});
});

test('an MCP server can ask for consent, or to visit an address', () => {
	expect(elicitationRequest('id', form({}))).toMatchObject({
		kind: 'permission',
		text: 'Please',
		options: optionsNamed('once', 'no'),
	});
	expect(elicitationReply(form({}), {option: 'once'})).toEqual({action: 'accept', content: {}});
	const link = {server, message: 'Log in', url: 'https://shop.example/login'};
	expect(elicitationRequest('id', link)).toMatchObject({
		kind: 'permission',
		text: 'Log in\n\nhttps://shop.example/login',
		options: optionsNamed('once', 'no'),
	});
	expect(elicitationReply(link, {option: 'once'})).toEqual({action: 'accept'});
});

test('an MCP server that says nothing gets no consent', () => {
	for (const asked of [
		{server, message: ' '},
		{server, message: '', fields: {}},
	])
		expect(elicitationRequest('id', asked)).toMatchObject({
			text: expect.stringContaining('can only be denied'),
			options: optionsNamed('no'),
		});
});
