import {maskSecrets} from '../../domain/masking.ts';
import {type AgentRequest, requestOptions} from '../../domain/sessions/agent-request.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {age} from '../../text/values/times.ts';
import type {CommandRun} from '../cli/context.ts';
import {exitCodes, post, UsageError} from '../cli/errors.ts';
import {connect} from '../cli/registry.ts';
import {cliStrings} from '../cli/strings.ts';
import {optionalField} from '../output/json-output.ts';
import {printList, type RowFormat} from '../output/print-rows.ts';
import {strings} from './strings.ts';

/** What agents of the embedded service wait for, its answers, and the end of a turn. */
export const agentRequests = {
	async requests(context) {
		const {service} = await connect(context);
		const requests = await service.agentRequests.list(context.args[0], {signal: context.signal});
		await printList(context, requestFormat(context.clock.now()), requests);
		return exitCodes.done;
	},

	async answer(context) {
		const {flags, output, signal} = context;
		const [id = '', requestId = '', given = ''] = context.args;
		const option = requestOptions.find(each => each === given);
		if (option === undefined)
			throw new UsageError(cliStrings.usage.wrongValue('WORD', given, requestOptions.join(', ')));
		const values = {option, ...optionalField('words', flags.text('text'))};
		const {service} = await connect(context);
		const answered = await post(strings.mayBeAnswered, () =>
			service.agentRequests.answer(id, requestId, values, {signal}),
		);
		if (output.isJson) output.json(maskSecrets(answered));
		else output.note(strings.answered[option]);
		return exitCodes.done;
	},

	async interrupt(context) {
		const {args, output, signal} = context;
		const {service} = await connect(context);
		const isInterrupted = await service.agentRequests.interrupt(args[0] ?? '', {signal});
		if (output.isJson) output.json({interrupted: isInterrupted});
		else output.note(isInterrupted ? strings.interrupted : strings.noTurn);
		return exitCodes.done;
	},
} satisfies Record<string, CommandRun>;

const requestFormat = (now: number): RowFormat<AgentRequest> => ({
	objectOf: request => request,
	columns: [
		{name: 'session', show: ({sessionId}) => cleanLine(sessionId)},
		{name: 'request', show: ({id}) => cleanLine(id)},
		{name: 'asked', show: ({createdAt}) => age(createdAt === undefined ? undefined : now - createdAt)},
		{name: 'tool', show: ({tool, kind}) => cleanLine(tool || kind || '-')},
		{name: 'answers', show: ({options = []}) => cleanLine(options.join('|'))},
		{name: 'what', show: ({text = ''}) => cleanLine(text, 400)},
	],
});
