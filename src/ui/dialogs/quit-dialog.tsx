import {notify} from '../../actions/notify.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {safe} from '../../text/cells/safe.ts';
import {stopTypeAhead} from '../composer/type-ahead.ts';
import type {KeyLayer} from '../input.ts';
import {bindingsIn, bindingsOf} from '../keys/binding.ts';
import {inViewsAndWelcome} from '../keys/key-contexts.ts';
import {askToQuit} from '../quit.ts';
import {type AppParts, useApp} from '../use-app.ts';
import type {DialogModule, DialogProps} from './dialog-module.ts';
import {QuestionPane} from './question-pane.tsx';

/** Agents work or ask: whether they go on without the screen. */
function QuitDialog({dialog, layout}: DialogProps<'quit'>) {
	const {keys} = useApp();
	return (
		<QuestionPane
			layout={layout}
			context="quit"
			title={dialog.agents === 1 ? "1 agent hasn't finished" : `${dialog.agents} agents haven't finished`}
			text={
				'Agents that you leave running go on without this screen; the next start shows what they did. Ending them stops the embedded service: output so far is saved, and queued messages are not run.'
			}
			answers={[
				{action: 'leave-running', keys: keys.label('leave-running'), words: safe` leave running   `},
				{action: 'end-agents', keys: keys.label('end-agents'), words: safe` end them`},
			]}
		/>
	);
}

export const quitBindings = bindingsOf([
	...bindingsIn({contexts: ['quit'], isPaletteHidden: true}, [
		{
			action: 'leave-running',
			keys: ['enter'],
			title: 'Quit; the agents go on',
			hint: 'leave running',
			isWayOut: true,
			run(parts) {
				setView(parts.view, popDialog);
				parts.program.quit();
			},
		},
		{
			action: 'end-agents',
			keys: ['e'],
			title: 'Quit, and end the agents',
			hint: 'end them',
			run(parts) {
				setView(parts.view, popDialog);
				void endAgents(parts);
			},
		},
	]),
	{
		action: 'quit',
		keys: ['q'],
		title: 'Quit',
		hint: 'quit',
		contexts: inViewsAndWelcome,
		run(parts) {
			stopTypeAhead(parts);
			void askToQuit(parts);
		},
	},
]);

function quitLayer(parts: AppParts): KeyLayer {
	return {
		isModal: true,
		handle: press => parts.input.handleKey(parts, press, ['quit']),
	};
}

async function endAgents({program, actions}: AppParts): Promise<void> {
	const result = await program.endAgents();
	if (result.isDone) program.quit();
	else notify(actions, 'bad', `The agents were not ended: ${result.what}`);
}

export const quitDialog: DialogModule<'quit'> = {Component: QuitDialog, layer: quitLayer};
