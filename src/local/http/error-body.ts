import type {TestVariant} from '../local-service.ts';
import type {Refusal} from './refusal.ts';

export type ErrorBody = {readonly contentType: string; readonly text: string};

/** The body of an error response in one of the shapes services use; the contract mostly leaves it open. */
export function errorBody(refusal: Refusal, shape: TestVariant['errorShape'], requestId: string): ErrorBody {
	const {message: detail, status, title, errors} = refusal;
	const json = (value: unknown): ErrorBody => ({
		contentType: 'application/json',
		text: JSON.stringify(value),
	});
	switch (shape) {
		case 'problem':
			return json({title, detail, status, requestId, ...(errors.length > 0 ? {errors} : {})});
		case 'error':
			return json({error: detail});
		case 'message':
			return json({message: detail});
		case 'text':
			return {contentType: 'text/plain; charset=utf-8', text: detail};
		case 'html':
			return {
				contentType: 'text/html; charset=utf-8',
				text: `<!doctype html><html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>`,
			};
		case 'empty':
			return {contentType: 'text/plain', text: ''};
	}
}
