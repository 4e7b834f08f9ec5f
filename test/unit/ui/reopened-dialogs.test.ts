import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {RejectedError} from '../../../src/api/errors.ts';
import type {Service} from '../../../src/api/service.ts';
import {type FormRequest, newSessionDraft, popDialog} from '../../../src/state/view/dialogs.ts';
import {setView} from '../../../src/state/view/view.ts';
import {createEditor} from '../../../src/text/editor/editor-state.ts';
import {setComposer} from '../../../src/ui/composer/composers.ts';
import {formLayer} from '../../../src/ui/dialogs/form/form-layer.ts';
import {openFormDialog} from '../../../src/ui/dialogs/form/open-form-dialog.ts';
import {choose, openNewSessionDialog} from '../../../src/ui/dialogs/new-session/new-session-state.ts';
import {startSession} from '../../../src/ui/dialogs/new-session/start-session.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownComputer, knownSession} from '../../support/fleet.ts';

/** A service whose agents and answers arrive when the test gives them. */
function setUp() {
	const agents = Promise.withResolvers<string[]>();
	const answers: PromiseWithResolvers<{sessionId: string; status: 'idle'}>[] = [];
	const created: unknown[] = [];
	const service = {
		sessions: {
			create(draft: unknown) {
				created.push(draft);
				const answer = Promise.withResolvers<{sessionId: string; status: 'idle'}>();
				answers.push(answer);
				return answer.promise;
			},
		},
		agentRequests: {agents: () => agents.promise},
	} as unknown as Service;
	const parts = appParts(fakeClock(), {service, profile: {agent: 'shell'}});
	parts.stores.fleet.setState(fleet([knownSession('s')], [knownComputer('box')]));
	const layer = formLayer(parts);
	const press = (...names: readonly string[]) => {
		for (const name of names) layer.handle({name, text: name.length === 1 ? name : ''}, true);
	};
	return {parts, agents, answers, created, press, form: () => parts.forms.getState().form};
}

test.each<FormRequest>([{name: 'rename-session', sessionId: 's'}, {name: 'new-session'}])(
	"a closed form that waited for the agents doesn't submit the form opened after it: %j",
	async request => {
		const {parts, agents, created, press, form} = setUp();
		openFormDialog(parts, {name: 'new-session'});
		press('tab', 'c', 'enter', 'escape');
		expect(form()).toBeUndefined();
		openFormDialog(parts, request);
		agents.resolve(['claude']);
		await setImmediate();
		expect(form()).toMatchObject({request, isBusy: false});
		expect(created).toEqual([]);
	},
);

test('agents that arrive while the form is busy can be chosen after a refusal', async () => {
	const {parts, agents, answers, created, press, form} = setUp();
	openFormDialog(parts, {name: 'new-session'});
	press('enter');
	expect(form()?.isBusy).toBe(true);
	agents.resolve(['claude']);
	await parts.forms.reading;
	answers[0]?.reject(new RejectedError('No room for it.', {hint: ''}));
	await expect.poll(form).toMatchObject({isBusy: false, problem: 'No room for it.'});
	press('tab', 'c', 'enter');
	await expect.poll(() => created.length).toBe(2);
	expect(created[1]).toMatchObject({agent: 'claude'});
});

test('a closed dialog that waited for the agents starts no session for the one opened after it', async () => {
	const {parts, agents, answers, created} = setUp();
	const open = (part: 'words' | 'agent') => {
		openNewSessionDialog(parts, 'box');
		setView(parts.view, view => ({
			...view,
			dialogs: view.dialogs.map(dialog => (dialog.kind === 'new-session' ? {...dialog, part} : dialog)),
		}));
	};
	open('agent');
	const composer = parts.composers.getState().bySession.get(newSessionDraft);
	if (!composer) throw new Error('no composer');
	setComposer(parts.composers, newSessionDraft, {...composer, editor: createEditor('Half a thought')});
	choose(parts, 'c');
	const starting = startSession(parts);
	setView(parts.view, popDialog);
	open('words');
	agents.resolve(['claude']);
	await setImmediate();
	for (const {resolve} of answers) resolve({sessionId: 's-new', status: 'idle'});
	await starting;
	expect(created).toEqual([]);
	expect(parts.view.getState().dialogs).toMatchObject([{kind: 'new-session', agents: ['claude']}]);
});
