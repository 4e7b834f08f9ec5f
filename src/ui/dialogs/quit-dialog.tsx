import {notify} from '../../actions/notify.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {type AppParts, useApp} from '../use-app.ts';
import type {DialogModule, DialogProps} from './dialog-module.ts';
import {QuestionPane} from './question-pane.tsx';
import {strings} from './strings.ts';

const text = strings.quit;

/** Agents are at work: whether they go on without the screen. */
function QuitDialog({dialog, layout}: DialogProps<'quit'>) {
	const {keys} = useApp();
	return (
		<QuestionPane
			layout={layout}
			context="quit"
			title={text.title(dialog.agents)}
			text={text.text}
			answers={[
				{action: 'leave-running', keys: keys.label('leave-running'), words: text.leave},
				{action: 'end-agents', keys: keys.label('end-agents'), words: text.end},
			]}
		/>
	);
}

function quitLayer(parts: AppParts): KeyLayer {
	return {
		name: 'quit',
		isModal: true,
		handle(press) {
			const action = parts.keys.find(['quit'], press.name)?.action;
			if (action !== undefined) setView(parts.view, popDialog);
			if (action === 'leave-running') parts.program.quit();
			if (action === 'end-agents') void endAgents(parts);
			return 'consumed';
		},
	};
}

async function endAgents({program, actions}: AppParts): Promise<void> {
	const result = await program.endAgents();
	if (result.isDone) program.quit();
	else notify(actions, 'bad', text.notEnded(result.what));
}

export const quitDialog: DialogModule<'quit'> = {Component: QuitDialog, layer: quitLayer};
